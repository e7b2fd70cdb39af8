import { createInterface } from 'node:readline/promises'
import { setTimeout as wait } from 'node:timers/promises'
import type { Command } from 'commander'
import { orders } from './orders.ts'
import type { Output } from './output.ts'
import type { Order } from './run-order.ts'
import type { Answer, Call } from './service-call.ts'
import {
  movesText,
  nodesText,
  nodeText,
  planText,
  shardsIn,
  shardsText,
  shardText,
  type Moves,
  type Plan,
} from './shard-texts.ts'

/** The person at the terminal. */
export type Terminal = {
  /** Null where nobody can be asked. */
  readonly confirms: ((question: string) => Promise<boolean>) | null
  /** Calls back when Ctrl-C is pressed; answers with what ends that. */
  readonly onInterrupt: (interrupted: () => void) => () => void
}

type Choice = { readonly yes?: boolean }

const POLL_MS = 500
/** Most plans take seconds; one that takes longer than this is looked at with `shards progress`. */
const FOLLOWED_MS_MAX = 3_600_000
const GOES_ON = 'vouchsafe shards progress shows how far it is, vouchsafe shards stop stops it.'

/** The nodes of a cluster, and where its shards are served. */
export const registerShards = (program: Command, order: Order, terminal: Terminal = thisTerminal): void => {
  program
    .command('nodes')
    .description('the nodes of a cluster, with their shards and what they carry')
    .action(order(orders['nodes'], nodesText))
  const shards = program.command('shards').description('the shards of a cluster, and where they are served')
  registerLooks(shards, order, terminal)
  registerPlaces(shards, order)
  registerMaps(shards, order)
  shards
    .command('drain <node>')
    .description('move every shard away from a node, and keep it empty until it may take part again')
    .option('--yes', 'do not ask')
    .action(
      order(
        (call, input: Choice & { readonly node: string }, output) => drain(call, input, output, terminal),
        ended,
      ),
    )
  shards
    .command('rebalance')
    .description('spread the load evenly')
    .option('--yes', 'do not ask')
    .action(order((call, input: Choice, output) => rebalance(call, input, output, terminal), ended))
}

const registerLooks = (shards: Command, order: Order, terminal: Terminal): void => {
  shards.command('list').description('list them by number').action(order(orders['shards list'], shardsText))
  shards
    .command('plan')
    .description('show what would move where, and why; nothing is changed')
    .option('--drain <node>', 'to empty this node, instead of spreading the load')
    .action(order(orders['shards plan'], (answer) => planText(answer as Plan)))
  shards
    .command('progress')
    .description('show what is on its way')
    .option('--follow', 'until it is over')
    .action(
      order(async (call, { follow = false }: { readonly follow?: boolean }, output) => {
        const now = await movesNow(call)
        return follow ? followed(call, now, output, terminal) : now
      }, progressText),
    )
}

const registerPlaces = (shards: Command, order: Order): void => {
  shards
    .command('move <shard> <node>')
    .description('move one shard to a node')
    .action(order(orders['shards move'], shardText))
  shards
    .command('pin <shard>')
    .description('keep a shard where it is for as long as its node lives')
    .action(order(orders['shards pin'], shardText))
  shards
    .command('unpin <shard>')
    .description('let it move again')
    .action(order(orders['shards unpin'], shardText))
  shards
    .command('take-part <node>')
    .description('let a node that was drained take its share again')
    .action(order(orders['shards take-part'], nodeText))
}

const registerMaps = (shards: Command, order: Order): void => {
  shards
    .command('freeze')
    .description('keep every shard where it is, but for those of nodes that die or stop')
    .action(order(orders['shards freeze'], progressText))
  shards
    .command('unfreeze')
    .description('let shards move again')
    .action(order(orders['shards unfreeze'], progressText))
  shards
    .command('stop')
    .description('take back every move that can be taken back')
    .action(order(orders['shards stop'], progressText))
}

/** Shows the plan, asks, applies exactly that plan, and shows how far it is until it is over. */
const rebalance = async (
  call: Call,
  { yes = false }: Choice,
  output: Output,
  terminal: Terminal,
): Promise<Answer> => {
  const plan = (await orders['shards plan'](call, {})) as Plan
  // What a node that is gone or leaves had is moved without an order.
  const moves = plan.moves.filter(({ reason }) => reason === 'balance')
  output.note(planText({ ...plan, moves }))
  if (moves.length === 0) return { moved: 0, ...(await movesNow(call)) }
  await agreed(yes, 'Apply this plan?', output, terminal)
  const begun = (await orders['shards apply'](call, { moves })) as Moves
  return { moved: moves.length, ...(await followed(call, begun, output, terminal)) }
}

/** Shows the plan, asks, gives the order, and shows how far it is until the node is empty. */
const drain = async (
  call: Call,
  { yes = false, node }: Choice & { readonly node: string },
  output: Output,
  terminal: Terminal,
): Promise<Answer> => {
  const plan = (await orders['shards plan'](call, { drain: node })) as Plan
  output.note(planText(plan))
  await agreed(yes, `Empty ${node}, and keep it empty?`, output, terminal)
  await orders['shards drain'](call, { node })
  return { moved: plan.moves.length, ...(await followed(call, await movesNow(call), output, terminal)) }
}

const agreed = async (
  yes: boolean,
  question: string,
  output: Output,
  { confirms }: Terminal,
): Promise<void> => {
  if (yes) return
  if (output.json || confirms === null)
    throw new Error('Nothing was ordered: say --yes where nobody can be asked.')
  if (!(await confirms(question))) throw new Error('Nothing was ordered.')
}

const movesNow = async (call: Call): Promise<Moves> => (await orders['shards progress'](call)) as Moves

/** Looks until nothing is on its way any more. What was ordered goes on when this ends before. */
export const followed = async (
  call: Call,
  begun: Moves,
  output: Output,
  { onInterrupt }: Terminal,
  pollMs = POLL_MS,
): Promise<Moves> => {
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  const stop = new AbortController()
  let now = begun
  const forget = onInterrupt(() => {
    stop.abort()
    reject(new Error(`It goes on: ${shardsIn(left(now))} to go. ${GOES_ON}`))
  })
  const all = left(begun)
  const following = untilOver(call, begun, pollMs, stop.signal, (seen) => {
    now = seen
    const line = `${shardsIn(seen.moving.length)} moving, ${seen.toCome.length} to come …`
    output.progress(line, 1 - left(seen) / all)
  })
  try {
    // A look may take its time while shards move; whoever wants to leave is not kept waiting for it.
    return await Promise.race([following, interrupted])
  } finally {
    forget()
  }
}

const untilOver = async (
  call: Call,
  begun: Moves,
  pollMs: number,
  signal: AbortSignal,
  seen: (now: Moves) => void,
): Promise<Moves> => {
  let now = begun
  for (let waitedMs = 0; left(now) > 0 && !signal.aborted; waitedMs += pollMs) {
    seen(now)
    if (waitedMs >= FOLLOWED_MS_MAX) throw new Error(`It takes long. ${GOES_ON}`)
    await wait(pollMs, undefined, { signal }).catch(() => undefined)
    if (!signal.aborted) now = await movesNow(call)
  }
  return now
}

const left = ({ moving, toCome }: Moves): number =>
  new Set([...moving, ...toCome].map(({ shard }) => shard)).size

const progressText = (answer: Answer): string => movesText(answer as Moves)

const ended = (answer: Answer): string => {
  const moved = Number(answer['moved'])
  return moved === 0 ? 'Nothing had to be moved.' : `Done: ${shardsIn(moved)} moved.`
}

const thisTerminal: Terminal = {
  confirms: process.stdin.isTTY
    ? async (question) => {
        const lines = createInterface({ input: process.stdin, output: process.stderr })
        try {
          return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
        } finally {
          lines.close()
        }
      }
    : null,
  onInterrupt: (interrupted) => {
    process.once('SIGINT', interrupted)
    return () => process.off('SIGINT', interrupted)
  },
}
