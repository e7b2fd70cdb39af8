// @ts-check
import { spawn } from 'node:child_process'
import { constants } from 'node:os'

const SAME_GESTURE_MS = 500
const FORWARDED = /** @type {const} */ (['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2'])
const FROM_TERMINAL = ['SIGINT', 'SIGHUP']

/**
 * Runs the program in our place: its output, its signals, its end. On a terminal the system itself gives Ctrl-C to the
 * whole group, and npm passes on once more what the system already delivered: each gesture must arrive once, because a
 * second signal means "at once".
 * @param {string} command
 * @param {string[]} commandArguments
 * @param {Record<string, string | undefined>} environment
 */
export const runInOurPlace = (command, commandArguments, environment) => {
  const child = spawn(command, commandArguments, { stdio: 'inherit', env: environment })
  /** @type {Map<string, number>} */
  const last = new Map()
  for (const signal of FORWARDED) {
    process.on(signal, () => {
      const now = performance.now()
      const repeated = now - (last.get(signal) ?? -Infinity) < SAME_GESTURE_MS
      last.set(signal, now)
      if (!repeated && !(process.stdin.isTTY && FROM_TERMINAL.includes(signal))) child.kill(signal)
    })
  }
  child.once('error', (error) => {
    process.stderr.write(`${command} could not be started: ${error.message}.\n`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    for (const forwarded of FORWARDED) process.removeAllListeners(forwarded)
    // Whoever waits for us should see the same end; where our own death by that signal fails, the shell's number does.
    if (signal === 'SIGTERM' || signal === 'SIGINT' || signal === 'SIGHUP') process.kill(process.pid, signal)
    process.exit(128 + constants.signals[signal])
  })
}
