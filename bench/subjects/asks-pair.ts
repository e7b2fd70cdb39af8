// Two nodes in one process, so that its processor time is that of both sides: one has no shard, the other has all.
import { RoutedActors } from '../../src/cluster/asks/routed-actors.ts'
import { askDefaults } from '../../src/cluster/asks/settings.ts'
import { referencesTo, SHARD_COUNT } from '../../src/domain/references.ts'
import { actorDefinition } from '../../src/host/definition.ts'
import { defaultHostLimits } from '../../src/host/host-limits.ts'
import { Host } from '../../src/host/host.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import type { Actors } from '../../src/ports/actors.ts'
import type { ShardMapView } from '../../src/ports/shard-map.ts'
import { nullJournal } from './null-journal.ts'
import { handedPair, type LinkedPair, plainPair } from './plain-links.ts'

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

const pages = referencesTo<PageTypes>('pge')
const runtime = createRuntime()
const ACTORS = 1_024
const COMMAND_CHARACTERS = 200
const opened: AsyncDisposable[] = []
let asked = 0
let nodes: { readonly far: Actors; readonly near: Actors } | null = null

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

const pairs = { bare_socket: plainPair, no_link: handedPair }
export type PairName = keyof typeof pairs

export async function open(pairName: PairName, replyBytes: number): Promise<void> {
  const pair: LinkedPair = await pairs[pairName](['far', 'near'])
  opened.push(pair)
  const definition = pageDefinition(recordOf(replyBytes))
  const host = (self: string, link: LinkedPair['links'][number]): Host => {
    const made = new Host({
      journal: nullJournal(),
      vault: null,
      runtime,
      reach: (local) => {
        const report = ({ error }: { readonly error: unknown }): void => console.error(error)
        const map = everyShardAt('near')
        return new RoutedActors({ self, local, link, map, runtime, settings: askDefaults, report })
      },
      definitions: () => [definition],
      limits: { ...defaultHostLimits, tenantSharePercent: 100 },
      report: ({ error }) => console.error(error),
    })
    opened.push(made)
    return made
  }
  const [far, near] = [host('far', pair.links[0]), host('near', pair.links[1])]
  await Promise.all(Array.from({ length: SHARD_COUNT }, (_, shard) => near.open(shard)))
  nodes = { far: far.actors, near: near.actors }
}

export async function close(): Promise<void> {
  for (const each of opened.splice(0).toReversed()) await each[Symbol.asyncDispose]()
  nodes = null
}

/** Asks, or reads, at the node that has the shards or at the other, with so many under way at once. */
export async function load(
  at: 'far' | 'near',
  verb: 'ask' | 'read',
  askers: number,
  durationMs: number,
): Promise<{ asks: number }> {
  if (nodes === null) throw new Error('open first')
  const actors = nodes[at]
  const endMs = performance.now() + durationMs
  const text = 'x'.repeat(COMMAND_CHARACTERS)
  const before = asked
  await Promise.all(
    Array.from({ length: askers }, async () => {
      while (performance.now() < endMs) {
        const index = asked++ % ACTORS
        const page = pages.newRef(index % SHARD_COUNT, `00000000${index}`)
        if (verb === 'read') await actors.read(page)
        else await actors.ask(page, { is: 'add', text }, { commandId: `bench-${asked}`, tenant: 'ten_1' })
      }
    }),
  )
  return { asks: asked - before }
}
