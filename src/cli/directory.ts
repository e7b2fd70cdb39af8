import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Environment } from '../config/config.ts'
import { type Answer, type Call, OrderFailed, ordering } from './operator-call.ts'
import { type Output, outputOf } from './output.ts'

const POLL_MS = 500

export const registerDirectory = (program: Command, environment: Environment): void => {
  program
    .command('directory')
    .description('the lists')
    .command('rebuild')
    .description('make the lists anew from the journal, while the service runs')
    .action(async (_options: object, command: Command) => {
      const output = outputOf(command)
      process.exitCode = await ordering(environment, output, async (call) => {
        const done = await rebuild(call, output)
        output.result(done, `${String(done['records'])} records are in the lists.`)
      })
    })
}

/** Begins, and says how far it is until it is done. */
export const rebuild = async (call: Call, output: Output, pollMs = POLL_MS): Promise<Answer> => {
  let now = await call('directory rebuild', {})
  let told = ''
  while (now['status'] === 'running') {
    const { shardsDone, shards, records } = now
    const line = `${String(shardsDone)} of ${String(shards)} shards, ${String(records)} records …`
    if (line !== told) output.note(line)
    told = line
    await wait(pollMs)
    now = await call('directory show', {})
  }
  if (now['status'] === 'done') return now
  const { lastError } = now
  throw new OrderFailed(typeof lastError === 'string' ? lastError : 'The rebuild was lost; begin again.')
}
