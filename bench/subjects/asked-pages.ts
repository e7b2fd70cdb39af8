// What benchmarks of asks between nodes ask: records of some bytes, on nodes of which one has every shard.
import { type RoutedParts, RoutedActors } from '../../src/cluster/asks/routed-actors.ts'
import { askDefaults } from '../../src/cluster/asks/settings.ts'
import { referencesTo, SHARD_COUNT } from '../../src/domain/references.ts'
import { actorDefinition } from '../../src/host/definition.ts'
import { defaultHostLimits } from '../../src/host/host-limits.ts'
import { Host } from '../../src/host/host.ts'
import type { Actors } from '../../src/ports/actors.ts'
import type { Runtime } from '../../src/ports/runtime.ts'
import type { ShardMapView } from '../../src/ports/shard-map.ts'
import { nullJournal } from './null-journal.ts'

type Page = { readonly text: string }
type Add = { readonly is: 'add'; readonly text: string }
type PageTypes = {
  readonly state: Page
  readonly command: Add
  readonly event: Add
  readonly reply: Page
  readonly views: { readonly record: Page }
  readonly owed: never
}

export type Verb = 'ask' | 'read'

const pages = referencesTo<PageTypes>('pge')
const ACTORS = 1_024
const COMMAND_CHARACTERS = 200

/** A record of so many bytes, most of them text as people write it. */
const recordOf = (bytes: number): Page => ({
  text: 'Zoë said "yes", twice; '.repeat(bytes / 24).slice(0, bytes),
})

const pageDefinition = (page: Page) => {
  const codec = {
    encode: (value: unknown) => JSON.stringify(value),
    decode: (text: string) => JSON.parse(text) as never,
  }
  return actorDefinition<PageTypes>({
    kind: pages.prefix,
    decider: {
      initialState: page,
      decide: (_, command) => [command],
      evolve: () => page,
      reply: () => page,
      views: { record: () => page },
    },
    events: codec,
    snapshots: codec,
    snapshotEvery: 1_000,
  })
}

const everyShardAt = (node: string): ShardMapView => {
  const places = Array.from({ length: SHARD_COUNT }, () => ({ owner: node, desired: node, pinned: false }))
  const map = { version: 1, frozen: false, places }
  const view = { current: () => map, ownerOf: () => node, refreshed: async () => map }
  return { ...view, onChange: () => () => undefined }
}

/** A node as it asks and answers; the one that is named `owner` opens every shard. */
export const pagesNode = async (
  self: string,
  owner: string,
  { link, runtime, bytes }: Pick<RoutedParts, 'link' | 'runtime'> & { readonly bytes: number },
): Promise<Host> => {
  const definition = pageDefinition(recordOf(bytes))
  const host = new Host({
    journal: nullJournal(),
    vault: null,
    runtime,
    reach: (local) => {
      const report = ({ error }: { readonly error: unknown }): void => console.error(error)
      const map = everyShardAt(owner)
      return new RoutedActors({ self, local, link, map, runtime, settings: askDefaults, report })
    },
    definitions: () => [definition],
    limits: { ...defaultHostLimits, tenantSharePercent: 100 },
    report: ({ error }) => console.error(error),
  })
  if (self === owner) await Promise.all(Array.from({ length: SHARD_COUNT }, (_, shard) => host.open(shard)))
  return host
}

/** Asks, or reads, with so many under way at once. */
export const askPages = async (
  actors: Actors,
  runtime: Runtime,
  { verb, askers, durationMs }: { readonly verb: Verb; readonly askers: number; readonly durationMs: number },
): Promise<{ asks: number }> => {
  const endMs = performance.now() + durationMs
  const text = 'x'.repeat(COMMAND_CHARACTERS)
  const run = runtime.newId()
  let asks = 0
  await Promise.all(
    Array.from({ length: askers }, async () => {
      while (performance.now() < endMs) {
        const index = asks++ % ACTORS
        const page = pages.newRef(index % SHARD_COUNT, `00000000${index}`)
        if (verb === 'read') await actors.read(page)
        else await actors.ask(page, { is: 'add', text }, { commandId: `${run}-${asks}`, tenant: 'ten_1' })
      }
    }),
  )
  return { asks }
}
