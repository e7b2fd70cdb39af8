import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { orders } from './orders.ts'
import type { Output } from './output.ts'
import type { Order } from './run-order.ts'
import type { Answer, Call } from './service-call.ts'

type Parked = {
  readonly id: string
  readonly part: string
  readonly recordId: string
  readonly error: string
  readonly since: string
}

const POLL_MS = 200
/** A retry takes some milliseconds; what is parked after this time could not be read. */
const TRIED_WITHIN_MS = 5_000

/** Records that lists and webhooks go on without, because they cannot be read. */
export const registerParked = (journal: Command, order: Order): void => {
  const parked = journal
    .command('parked')
    .description('records that cannot be read, which lists and webhooks go on without')
  parked.command('list').description('list them, newest first').action(order(orders['parked list'], text))
  parked
    .command('retry')
    .description('try one again, or all without an id; what can be read is listed and published')
    .argument('[id]', 'as the list shows it, such as prk_2f…')
    .action(
      order(
        (call, { id }: { readonly id?: string }, output) => retry(call, id ?? null, output),
        ({ tried, items }) =>
          (items as readonly Parked[]).length === 0
            ? `${String(tried)} tried again; all can be read.`
            : `${String(tried)} tried again; these cannot be read:\n${text({ items })}`,
      ),
    )
}

/** What of it is parked still, after it was tried. */
export const retry = async (
  call: Call,
  id: string | null,
  output: Pick<Output, 'bar'>,
  withinMs = TRIED_WITHIN_MS,
): Promise<{ readonly tried: number; readonly items: readonly Parked[] }> => {
  const ids = id === null ? (await parkedNow(call)).map((each) => each.id) : [id]
  for (const each of ids) await orders['parked retry'](call, { id: each })
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const items = (await parkedNow(call)).filter((each) => ids.includes(each.id))
    if (items.length === 0 || waitedMs >= withinMs) return { tried: ids.length, items }
    output.bar(`${ids.length} tried again …`, 1 - items.length / ids.length)
    await wait(POLL_MS)
  }
}

const parkedNow = async (call: Call): Promise<readonly Parked[]> =>
  (await orders['parked list'](call))['items'] as readonly Parked[]

const text = ({ items }: Answer): string => {
  const parked = items as readonly Parked[]
  if (parked.length === 0) return 'Nothing is parked.'
  return parked
    .map(({ id, since, part, recordId, error }) => [id, since, part.padEnd(8), recordId, error].join('  '))
    .join('\n')
}
