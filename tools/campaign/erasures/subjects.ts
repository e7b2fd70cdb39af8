import { isRefused } from '../../../src/domain/decider.ts'
import { SHARD_COUNT } from '../../../src/domain/references.ts'
import { setRetention } from '../../../src/actors/tenant/commands.ts'
import { canary, FINISHED, type Order, seedConnection, seedExchange, STATES } from '../../flows/seeded.ts'
import type { Random } from '../../simulate/random.ts'

/** A record that the campaign has made, and a personal text that it alone has. */
export type Subject = {
  readonly id: string
  readonly path: string
  readonly value: string
  /** Of a connection, when all of them belong to it. */
  readonly exchanges: readonly Subject[]
}

/** What the texts begin with, by what is to become of their records. */
export const STEMS = { erased: 'canary-erased', kept: 'canary-kept', swept: 'canary-swept' } as const
export type Fate = keyof typeof STEMS

const DAY_MS = 86_400_000
/** Longer ago than the one day that the period is shortened to. */
const OLD_MS = 2 * DAY_MS
const AT_ONCE = 50

const PATHS: Readonly<Record<string, string>> = {
  con: '/v1/connections',
  cre: '/v1/credentials',
  pro: '/v1/proofs',
}

const subject = (id: string, value: string, exchanges: readonly Subject[] = []): Subject => ({
  id,
  path: `${PATHS[id.slice(0, 3)]}/${id}`,
  value,
  exchanges,
})

const text = (fate: Fate): string => canary(STEMS[fate])

const inBatches = async <Made>(count: number, make: (index: number) => Promise<Made>): Promise<Made[]> => {
  const made: Made[] = []
  for (let from = 0; from < count; from += AT_ONCE) {
    const indices = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, index) => from + index)
    made.push(...(await Promise.all(indices.map(make))))
  }
  return made
}

/** Makes connections and exchanges in all states, on all shards, whose wallet takes what it is sent and never answers. */
export const seeding = (order: Order, endpoint: string, random: Random) => {
  const connect = async (fate: Fate): Promise<Pick<Subject, 'id' | 'value'>> => {
    const value = text(fate)
    const personal = { theirLabel: value, theirDid: text(fate) }
    const { id } = await seedConnection(order, endpoint, { shard: random.below(SHARD_COUNT), personal })
    return { id, value }
  }
  let made = 0
  /** One after the other in each of the states. */
  const exchange = async (on: string, value: string): Promise<Subject> =>
    subject(await seedExchange(order, on, made++, value), value)
  const whole = async (fate: Fate, count: number): Promise<Subject> => {
    const { id, value } = await connect(fate)
    return subject(id, value, await inBatches(count, () => exchange(id, value)))
  }
  return {
    /** A connection with so many exchanges that share its fate. */
    whole,
    /** A connection of whose exchanges each second one is to be erased. */
    mixed: async (count: number): Promise<{ erased: readonly Subject[]; kept: readonly Subject[] }> => {
      const { id, value } = await connect('kept')
      const isErased = (index: number): boolean => index % 2 === 0
      const all = await inBatches(count, (index) => exchange(id, text(isErased(index) ? 'erased' : 'kept')))
      return {
        erased: all.filter((_, index) => isErased(index)),
        kept: [subject(id, value), ...all.filter((_, index) => !isErased(index))],
      }
    },
    /** Exchanges that were over long ago, beside young ones in all states. */
    aged: async (count: number): Promise<{ old: readonly Subject[]; young: readonly Subject[] }> => {
      const young = await whole('kept', 2 * STATES)
      const longAgo = { ...order, lastStepMs: order.runtime.now() - OLD_MS }
      const old = await inBatches(count, async (index) => {
        const value = text('swept')
        const state = FINISHED[index % FINISHED.length] ?? 0
        return subject(await seedExchange(longAgo, young.id, state, value), value)
      })
      return { old, young: [young, ...young.exchanges] }
    },
    retention: async (days: number): Promise<void> => {
      const set = await setRetention(order, order.tenant, days)
      if (isRefused(set)) throw new Error(set.reason)
    },
  }
}
