import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, Call } from './operator-call.ts'
import type { Output } from './output.ts'

const POLL_MS = 500
const WAIT_MAX_MS = 300_000

/** Looks again until the ledger has taken or refused it; a person sees that something goes on. */
export const awaitPublished = async (
  call: Call,
  show: string,
  first: Answer,
  output: Output,
  pollMs = POLL_MS,
): Promise<Answer> => {
  let now = first
  for (let waitedMs = 0; now['status'] === 'pending' && waitedMs < WAIT_MAX_MS; waitedMs += pollMs) {
    if (waitedMs === 0) output.note(`It is on its way to the ledger …`)
    await wait(pollMs)
    now = await call(show, { id: first['id'] })
  }
  return now
}
