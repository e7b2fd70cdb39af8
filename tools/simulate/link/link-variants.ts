import { BATCH_HEAD_BYTES } from '../../../src/cluster/link/batch.ts'
import { LinkFailed, type NodeLink } from '../../../src/ports/node-link.ts'
import type { Arriving } from '../link-network.ts'

type Request = NodeLink['request']

/** The link with one mistake, made around the production code. */
export type LinkVariant = {
  readonly name: string
  /** What becomes of a batch before the link sees it. */
  readonly arriving?: Arriving
  readonly request?: (link: Pick<NodeLink, 'request'>) => Request
}

export const linkAsBuilt: LinkVariant = { name: 'as-built' }

const AT = { number: 0, sentAtMs: 4 } as const

const mistakes: Readonly<Record<string, Omit<LinkVariant, 'name'>>> = {
  /** Takes what comes for what comes next: nothing is missing, and nothing comes twice. */
  'does-not-count-batches': {
    arriving: (batch, { count }) => void batch.writeUInt32BE(count, AT.number),
  },

  /** Takes every batch for one that has just left. */
  'does-not-notice-delays': {
    arriving: (batch, { nowMs }) => {
      if (batch.length > BATCH_HEAD_BYTES) batch.writeDoubleBE(nowMs, AT.sentAtMs)
    },
  },

  /** Asks once more by itself where no answer came. */
  'repeats-by-itself': {
    request: (link) => {
      const request: Request = (...asked) => link.request(...asked).catch(() => link.request(...asked))
      return request
    },
  },

  /** Of what has left it says that it has not. */
  'says-that-nothing-was-sent': {
    request: (link) => {
      const request: Request = (...asked) =>
        link.request(...asked).catch(() => {
          throw new LinkFailed('left out', true)
        })
      return request
    },
  },
}

export const brokenLinkVariants: readonly LinkVariant[] = Object.entries(mistakes).map(([name, mistake]) => ({
  ...mistake,
  name,
}))
