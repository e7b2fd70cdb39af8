import type { RoutedParts } from '../../../src/cluster/asks/routed-actors.ts'
import type { Eventually } from '../../../src/domain/eventually.ts'
import type { LocalActors } from '../../../src/ports/actors.ts'
import type { ShardJournal } from '../../../src/ports/journal.ts'
import type { ShardMap } from '../../../src/ports/shard-map.ts'
import { instead } from '../instead.ts'
import type { Faults } from '../faults.ts'
import type { FrameFaults } from './frames.ts'

/** Asks between nodes with one mistake, made around the production code: the simulation must notice each. */
export type AsksVariant = {
  readonly name: string
  readonly routed?: (parts: RoutedParts) => Partial<RoutedParts>
  readonly shard?: (shard: ShardJournal) => Partial<ShardJournal>
  /** The circumstances in which the mistake does harm, where they are rare. */
  readonly faults?: Partial<Faults>
  readonly frameFaults?: Partial<FrameFaults>
}

export const asBuilt: AsksVariant = { name: 'as-built' }

const mistakes: Readonly<Record<string, Omit<AsksVariant, 'name'>>> = {
  /** Answers what it answered last, whoever has written to the log since. */
  'replies-without-asking-the-log': {
    routed: ({ local }) => {
      const known = new Map<string, unknown>()
      const any = local as unknown as { read(from: string, options?: unknown): Eventually<unknown> }
      const read = (from: string, options?: unknown): Eventually<unknown> => {
        const answer = known.get(from) ?? any.read(from, options)
        if (answer instanceof Promise)
          answer.then(
            (reply: unknown) => known.set(from, reply),
            () => undefined,
          )
        return answer
      }
      return { local: instead(local, { read } as unknown as Partial<LocalActors>) }
    },
  },

  /** Answers as long as it does not know that it is no longer the owner. */
  'answers-without-lease': {
    shard: () => ({ confirmed: true }),
    faults: { pausesPerMinute: 6, pauseMs: 11_000, cutsPerMinute: 6, cutMs: 20_000, crash: 0 },
  },

  /** Lets asks go to the node that is to have the shard, whether it has opened it or not. */
  'flushes-before-open': {
    routed: ({ map }) => {
      const current = (): ShardMap => {
        const seen = map.current()
        const places = seen.places.map((place) => ({ ...place, owner: place.owner ?? place.desired }))
        return { ...seen, places }
      }
      return { map: instead(map, { current }) }
    },
  },

  /** What waits is forgotten when the shard opens. */
  'forgets-the-buffer': {
    routed: ({ runtime, map, link }) => ({
      runtime: { ...runtime, sleep: () => new Promise(() => {}) },
      map: instead(map, { onChange: () => () => undefined }),
      link: instead(link, { onPeer: () => () => undefined }),
    }),
  },

  /** Says of a record that it is gone, and leaves it in the store. */
  'removes-nothing': {
    shard: (shard) => ({
      forget: (actor, last) => (last.data === null ? Promise.resolve(true) : shard.forget(actor, last)),
    }),
  },

  /** Every try but the first is another command. */
  'retries-under-a-new-command-id': {
    routed: ({ link }) => {
      const tries = new Map<string, number>()
      return {
        link: instead(link, {
          request: (node, service, body, options) => {
            const [head = '', text = ''] = Buffer.from(body).toString().split('\n')
            const tried = tries.get(text) ?? 0
            tries.set(text, tried + 1)
            const asked = JSON.parse(text) as unknown[]
            if (asked[0] === 'ask' && tried > 0) asked[3] = `${String(asked[3])}~${tried}`
            return link.request(node, service, Buffer.from(`${head}\n${JSON.stringify(asked)}`), options)
          },
        }),
      }
    },
  },
}

export const brokenVariants: readonly AsksVariant[] = Object.entries(mistakes).map(([name, mistake]) => ({
  ...mistake,
  name,
}))
