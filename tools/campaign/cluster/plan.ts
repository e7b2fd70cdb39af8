import type { Random } from '../../simulate/random.ts'
import { shuffled } from '../scenario.ts'
import type { Cut } from './links.ts'

export type Disturbance =
  | { readonly is: 'kill'; readonly node: number; readonly downMs: number; readonly again: boolean }
  | { readonly is: 'stop'; readonly node: number; readonly forMs: number }
  | {
      readonly is: 'cut'
      readonly one: number
      readonly other: number
      readonly forMs: number
      readonly cut: Cut
    }
  | { readonly is: 'cassandra'; readonly server: number; readonly downMs: number }
  | { readonly is: 'broker'; readonly downMs: number }
  | { readonly is: 'rolling' }

/** What happens to a node, and what happens to a store at the same time. */
export type Step = {
  readonly first: Disturbance
  readonly beside: Disturbance | null
  /** Since the step before. */
  readonly afterMs: number
}

export type Counts = {
  readonly nodes: number
  readonly servers: number
  readonly kills: number
  readonly stops: number
  readonly cuts: number
  readonly 'cassandra-kills': number
  readonly 'broker-kills': number
  readonly rolling: boolean
  readonly 'stop-seconds': number
}

const AFTER_MS = 5_000
/** Some are back before anybody takes them for dead, some after. */
const DOWN_MS = 16_000
const KILLED_AGAIN = 0.2
const CUT_MS = { least: 2_000, most: 20_000 }
const CUTS: readonly Cut[] = [
  { way: 'one', how: 'held' },
  { way: 'both', how: 'held' },
  { way: 'one', how: 'swallowed' },
  { way: 'both', how: 'closed' },
  { way: 'one', how: 'held' },
  { way: 'both', how: 'swallowed' },
]

const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index))

/** The same for the same seed: nodes are killed, stopped and cut off one after the other, stores beside some of that. */
export const planOf = (random: Random, counts: Counts): readonly Step[] => {
  const { nodes, servers } = counts
  const node = (): number => random.integer(1, nodes)
  const downMs = (): number => random.between(0, DOWN_MS)
  const kills = times(counts.kills, (): Disturbance => {
    return { is: 'kill', node: node(), downMs: downMs(), again: random.chance(KILLED_AGAIN) }
  })
  const stops = times(counts.stops, (): Disturbance => {
    return { is: 'stop', node: node(), forMs: counts['stop-seconds'] * 1_000 }
  })
  const cuts = times(counts.cuts, (index): Disturbance => {
    const one = node()
    const other = ((one - 1 + random.integer(1, nodes - 1)) % nodes) + 1
    const cut = CUTS[index % CUTS.length] as Cut
    return { is: 'cut', one, other, forMs: random.between(CUT_MS.least, CUT_MS.most), cut }
  })
  const ofStores = shuffled(random, [
    ...times(counts['cassandra-kills'], (): Disturbance => {
      return { is: 'cassandra', server: random.below(servers), downMs: downMs() }
    }),
    ...times(counts['broker-kills'], (): Disturbance => ({ is: 'broker', downMs: downMs() })),
  ])
  const ofNodes = shuffled(random, [...kills, ...stops, ...cuts])
  const alone = ofStores.splice(ofNodes.length)
  const accompanied = new Set(shuffled(random, [...ofNodes.keys()]).slice(0, ofStores.length))
  const rolling: Disturbance[] = counts.rolling ? [{ is: 'rolling' }] : []
  return [...ofNodes, ...alone, ...rolling].map((first, index) => ({
    first,
    beside: accompanied.has(index) ? (ofStores.shift() ?? null) : null,
    afterMs: random.between(0, AFTER_MS),
  }))
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

export const described = (it: Disturbance): string => {
  if (it.is === 'kill')
    return `SIGKILL of node-${it.node}, away for ${seconds(it.downMs)}${it.again ? ', and once more while it starts' : ''}`
  if (it.is === 'stop') return `SIGSTOP of node-${it.node} for ${seconds(it.forMs)}`
  if (it.is === 'cassandra') return `SIGKILL of Cassandra ${it.server + 1}, away for ${seconds(it.downMs)}`
  if (it.is === 'broker') return `SIGKILL of the broker, away for ${seconds(it.downMs)}`
  if (it.is === 'rolling') return 'a rolling restart of all nodes'
  const { one, other, forMs, cut } = it
  const arrow = cut.way === 'one' ? '→' : '↔'
  return `node-${one} ${arrow} node-${other} ${cut.how} for ${seconds(forMs)}`
}
