import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'

/** Lets a forked process end by disconnecting from it, and kills it when it takes longer. */
export const endProcess = async (child: ChildProcess, timeoutMs: number): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  await ended
  clearTimeout(timer)
}
