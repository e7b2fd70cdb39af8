import { ClusterRates, type ClusterRatesPorts } from '../../src/cluster/rates/cluster-rates.ts'
import {
  GIVE_BACK,
  HAND_OVER_WINDOWS,
  TAKE,
  type HandedWindows,
  type TakeAnswer,
} from '../../src/cluster/rates/rate-messages.ts'
import { decode, encode } from '../../src/cluster/json-bytes.ts'
import { LinkFailed } from '../../src/ports/node-link.ts'

/** Counting with one mistake, made around the production code. */
export type RatesVariant = {
  readonly name: string
  readonly ports?: (ports: ClusterRatesPorts) => Partial<ClusterRatesPorts>
}

export const ratesAsBuilt: RatesVariant = { name: 'as-built' }

type Link = ClusterRatesPorts['link']

const answersOf =
  (service: string, change: (answer: unknown) => unknown) =>
  ({ link }: ClusterRatesPorts): { readonly link: Link } => ({
    link: {
      handle: (name, handler) => link.handle(name, handler),
      request: async (node, name, body, options) => {
        const answer = await link.request(node, name, body, options)
        return name === service ? encode(change(decode(answer))) : answer
      },
    },
  })

const without =
  (service: string) =>
  ({ link }: ClusterRatesPorts): { readonly link: Link } => ({
    link: {
      handle: (name, handler) => link.handle(name, handler),
      request: (node, name, body, options) =>
        name === service
          ? Promise.reject(new LinkFailed('left out', true))
          : link.request(node, name, body, options),
    },
  })

const mistakes: Readonly<Record<string, NonNullable<RatesVariant['ports']>>> = {
  /** Goes on counting for shards that it has served once. */
  'stale-rate-owner': ({ serves }) => {
    const once = new Set<number>()
    return {
      serves: (shard) => {
        if (serves(shard)) once.add(shard)
        return once.has(shard)
      },
    }
  },

  'every-node-counts': () => ({ serves: () => true }),

  'windows-stay-behind': without(HAND_OVER_WINDOWS),

  /** Refuses for places that are only lent. */
  'asks-nothing-back': without(GIVE_BACK),

  /** Says that it has used nothing, and has. */
  'uses-are-not-told': answersOf(GIVE_BACK, (answer) =>
    (answer as { readonly loan: string }[]).map((used) => ({ ...used, agesMs: [] })),
  ),

  /** Uses what was lent for as long as there is some of it. */
  'places-never-end': answersOf(TAKE, (answer) => {
    const told = answer as TakeAnswer
    if (told.is !== 'decided' || told.loan === null) return told
    return { ...told, loan: { ...told.loan, forMs: 60_000 } }
  }),

  /** Takes a share of the rate for itself while the owner does not answer, which the owner does not know of. */
  'share-without-owner': ({ link }) => {
    let taken = 0
    const share = (): TakeAnswer => {
      const decision = { is: 'admitted', remaining: 0, resetMs: 1 } as const
      return { is: 'decided', decision, loan: null }
    }
    return {
      link: {
        handle: (name, handler) => link.handle(name, handler),
        request: (node, name, body, options) =>
          link.request(node, name, body, options).catch((error: unknown) => {
            if (name !== TAKE || taken >= SHARE) throw error
            taken++
            return encode(share())
          }),
      },
    }
  },

  /** Ties the windows to the epoch that the shard was opened with, which the release has taken further. */
  'windows-of-an-earlier-epoch': ({ link }) => ({
    link: {
      handle: (name, handler) => link.handle(name, handler),
      request: (node, name, body, options) => {
        const isHandedOver = name === HAND_OVER_WINDOWS
        const handed = isHandedOver ? (decode(body) as HandedWindows) : null
        const sent = handed === null ? body : encode({ ...handed, epoch: handed.epoch - 1 })
        return link.request(node, name, sent, options)
      },
    },
  }),
}

/** A third of the rate of the world. */
const SHARE = 10

export const brokenRatesVariants: readonly RatesVariant[] = Object.entries(mistakes).map(([name, ports]) => ({
  name,
  ports,
}))

export const ratesOf = (
  ports: ClusterRatesPorts,
  { ports: mistake }: RatesVariant,
  ...more: [ConstructorParameters<typeof ClusterRates>[1], ConstructorParameters<typeof ClusterRates>[2]]
): ClusterRates => new ClusterRates({ ...ports, ...mistake?.(ports) }, ...more)
