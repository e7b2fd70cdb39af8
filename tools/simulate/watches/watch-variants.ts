import type { WatchSettings } from '../../../src/cluster/watches/settings.ts'
import { HOLD, type HoldAnswer, TELL } from '../../../src/cluster/watches/watch-messages.ts'
import { decode, encode } from '../../../src/cluster/json-bytes.ts'
import type { NodeLink } from '../../../src/ports/node-link.ts'

type Link = Pick<NodeLink, 'handle' | 'request'>

/** Watches of mailboxes with one mistake, made around the production code. */
export type WatchVariant = {
  readonly name: string
  readonly settings?: Partial<WatchSettings>
  readonly link?: (plain: Link) => Partial<Link>
  /** A shard that went and came back is taken for one that was here all the time. */
  readonly knowsNoEpochs?: true
  /** A session says that it has taken what there is before it has read it. */
  readonly answersAtOnce?: true
}

export const asBuilt: WatchVariant = { name: 'as-built' }

const mistakes: Readonly<Record<string, Omit<WatchVariant, 'name'>>> = {
  'forgets-in-which-epoch-it-was-told': { knowsNoEpochs: true },

  /** The owner forgets a node that does not say again what it watches. */
  'says-once-what-it-watches': { settings: { renewMs: 10_000_000 } },

  /** A node that was not reached is not told to look when it next says what it watches. */
  'takes-a-lost-word-for-heard': {
    link: (plain) => ({
      request: (node, service, body, options) => {
        const answer = plain.request(node, service, body, options)
        return service === TELL ? answer.catch(() => encode('untaken')) : answer
      },
    }),
  },

  /** Nobody looks where the owner says that something may have been missed. */
  'does-not-look-where-it-may-have-missed': {
    link: (plain) => ({
      request: async (node, service, body, options) => {
        const answer = await plain.request(node, service, body, options)
        if (service !== HOLD) return answer
        const { mapVersion, held } = decode(answer) as HoldAnswer
        const known = held.map((each) => (each.is === 'new' ? { ...each, is: 'known' } : each))
        return encode({ mapVersion, held: known })
      },
    }),
  },

  'says-taken-before-it-reads': { answersAtOnce: true },
}

export const brokenVariants: readonly WatchVariant[] = Object.entries(mistakes).map(([name, mistake]) => ({
  ...mistake,
  name,
}))
