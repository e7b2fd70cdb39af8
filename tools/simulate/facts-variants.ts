import { HAND_OVER, LEND, RECALL, type HandedOver } from '../../src/cluster/facts/fact-messages.ts'
import type { FactSettings } from '../../src/cluster/facts/settings.ts'
import { decode, encode } from '../../src/cluster/json-bytes.ts'
import type { CopiesElsewhere } from '../../src/ports/hot-facts.ts'
import type { LinkHandler, NodeLink } from '../../src/ports/node-link.ts'
import type { Runtime } from '../../src/ports/runtime.ts'

type Link = Pick<NodeLink, 'handle' | 'request'>
type Around = { readonly runtime: Runtime; readonly epochOf: (shard: number) => number | undefined }

/** The copies of hot facts with one mistake, made around the production code. */
export type FactsVariant = {
  readonly name: string
  readonly settings?: Partial<FactSettings>
  readonly time?: (runtime: Runtime) => Partial<Runtime>
  readonly elsewhere?: (elsewhere: CopiesElsewhere) => Partial<CopiesElsewhere>
  readonly link?: (link: Link, around: Around) => Partial<Link>
  /** Of a command that changed nothing. */
  readonly repetitionLeavesAtOnce?: true
}

export const factsAsBuilt: FactsVariant = { name: 'as-built' }

const handling =
  (service: string, change: (handler: LinkHandler, around: Around) => LinkHandler) =>
  (link: Link, around: Around): Partial<Link> => ({
    handle: (name, handler) => link.handle(name, name === service ? change(handler, around) : handler),
  })

const handedOver = (change: (given: HandedOver, around: Around) => HandedOver) =>
  handling(HAND_OVER, (handler, around) => (body, from, leftMs) => {
    return handler(encode(change(decode(body) as HandedOver, around)), from, leftMs)
  })

const mistakes: Readonly<Record<string, Omit<FactsVariant, 'name'>>> = {
  /** Answers the change, and calls back meanwhile. */
  'owner-answers-without-waiting': { elsewhere: () => ({ settled: () => null }) },

  'owner-forgets-to-call-back': { elsewhere: () => ({ changed: () => undefined }) },

  /** The lease is counted from when the answer came: what the question took is left out of its time. */
  'holder-measures-from-the-answer': {
    link: (link, { runtime }) => ({
      request: async (node, service, body, options) => {
        const sentMs = runtime.monotonicMs()
        const answer = await link.request(node, service, body, options)
        return service === LEND ? longer(answer, 4_000 + runtime.monotonicMs() - sentMs) : answer
      },
    }),
    settings: { leaseMs: 60_000, marginMs: -55_500 },
  },

  /** Goes on with its copies until they are asked for again. */
  'holder-goes-on-after-its-lease': {
    link: (link) => ({
      request: async (node, service, body, options) => {
        const answer = await link.request(node, service, body, options)
        return service === LEND ? longer(answer, 60_000) : answer
      },
    }),
    settings: { leaseMs: 60_000, marginMs: -55_500 },
  },

  /** Takes the time that its machine slept for none. */
  'holder-does-not-notice-its-sleep': { time: (runtime) => ({ now: () => runtime.monotonicMs() }) },

  'new-owner-forgets-the-holders': {
    elsewhere: (elsewhere) => ({ opened: (shard) => elsewhere.opened(shard, 1) }),
  },

  /** Believes notes of an owner before the one before. */
  'new-owner-believes-old-notes': {
    link: handedOver((given, { epochOf }) => ({
      ...given,
      epoch: (epochOf(given.shard) ?? given.epoch + 1) - 1,
    })),
  },

  /** Ties its notes to the epoch of its opening, which the release has taken further: nobody can use them. */
  'notes-of-the-opening': {
    elsewhere: (elsewhere) => ({ closed: (shard, epoch) => elsewhere.closed(shard, epoch, epoch) }),
  },

  'owner-hands-nothing-over': {
    link: (link) => ({
      request: (node, service, body, options) =>
        service === HAND_OVER ? Promise.resolve(encode(null)) : link.request(node, service, body, options),
    }),
  },

  'notes-without-what-is-called-back': {
    link: handedOver((given) => ({
      ...given,
      notes: given.notes.map((note) => ({ ...note, isCalledBack: false })),
    })),
  },

  /** What this owner itself did not know of the one before is left out. */
  'notes-without-what-is-unknown': { link: handedOver((given) => ({ ...given, unknownForMs: 0 })) },

  'holder-confirms-before-it-drops': {
    link: handling(RECALL, (handler, { runtime }) => async (body, from, leftMs) => {
      void runtime.sleep(400).then(() => handler(body, from, leftMs))
      return encode(null)
    }),
  },

  /** Drops what it has and keeps what was on its way. */
  'holder-keeps-what-was-on-its-way': {
    link: (link) => {
      const onTheWay = new Map<string, { readonly actor: string; recalled: boolean }>()
      const stale = new Map<string, Uint8Array>()
      return {
        handle: (name, handler) =>
          link.handle(name, (body, from, leftMs) => {
            const actor = decode(body)
            if (name === RECALL) for (const each of onTheWay.values()) each.recalled ||= each.actor === actor
            return handler(body, from, leftMs)
          }),
        request: async (node, service, body, options) => {
          if (service !== LEND) return link.request(node, service, body, options)
          const { actor } = decode(body) as { actor: string }
          const kept = stale.get(actor)
          stale.delete(actor)
          if (kept !== undefined) return kept
          const question = { actor, recalled: false }
          onTheWay.set(actor, question)
          const answer = await link
            .request(node, service, body, options)
            .finally(() => onTheWay.delete(actor))
          if (question.recalled) stale.set(actor, answer)
          return answer
        },
      }
    },
  },

  'repetition-leaves-at-once': { repetitionLeavesAtOnce: true },
}

const longer = (answer: Uint8Array, leaseMs: number): Uint8Array => {
  const lent = decode(answer) as { readonly is: string; readonly leaseMs?: number }
  return lent.is === 'lent' && lent.leaseMs !== 0 ? encode({ ...lent, leaseMs }) : answer
}

export const brokenFactsVariants: readonly FactsVariant[] = Object.entries(mistakes).map(
  ([name, mistake]) => ({
    name,
    ...mistake,
  }),
)
