// @ts-check
import { spawn } from 'node:child_process'

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/** A start that is ended half-way must not leave an npm or pip at work behind it. */
export const endTools = () => {
  for (const child of running) child.kill('SIGTERM')
}

/**
 * Runs one program to its end and keeps what it printed; rejects only when it could not be started at all.
 * @param {string} command
 * @param {string[]} commandArguments
 * @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export const runTool = (command, commandArguments, options = {}) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, commandArguments, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const keep = (/** @type {Buffer} */ chunk) => {
      output = (output + chunk.toString()).slice(-65_536)
    }
    child.stdout?.on('data', keep)
    child.stderr?.on('data', keep)
    running.add(child)
    child.once('error', (error) => {
      running.delete(child)
      reject(error)
    })
    child.once('close', (code) => {
      running.delete(child)
      resolve({ code, output })
    })
  })
