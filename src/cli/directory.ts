import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { orders } from './orders.ts'
import type { Output } from './output.ts'
import type { Order } from './run-order.ts'
import { type Answer, type Call } from './service-call.ts'

const POLL_MS = 500

export const registerDirectory = (program: Command, order: Order): void => {
  program
    .command('directory')
    .description('the lists')
    .command('rebuild')
    .description('rebuild the lists from the journal, while the service runs')
    .action(
      order(
        (call, _, output) => rebuild(call, output),
        ({ records }) => `${String(records)} records are in the lists.`,
      ),
    )
}

/** Begins, and says how far it is until it is done. */
export const rebuild = async (call: Call, output: Output, pollMs = POLL_MS): Promise<Answer> => {
  let now = await orders['directory rebuild'](call)
  while (now['status'] === 'running') {
    const { shardsDone, shards, records } = now
    const line = `${String(shardsDone)} of ${String(shards)} shards, ${String(records)} records …`
    output.progress(line, Number(shardsDone) / Number(shards))
    await wait(pollMs)
    now = await orders['directory show'](call)
  }
  if (now['status'] === 'done') return now
  const { lastError } = now
  throw new Error(typeof lastError === 'string' ? lastError : 'The rebuild was lost; begin again.')
}
