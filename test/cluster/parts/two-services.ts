import { kinds } from '../../../src/actors/index.ts'
import { ActiveTenants } from '../../../src/actors/tenant/read.ts'
import { RoutedActors } from '../../../src/cluster/asks/routed-actors.ts'
import { askDefaults } from '../../../src/cluster/asks/settings.ts'
import { everyNode } from '../../../src/cluster/everywhere/every-node.ts'
import { connectHotFacts } from '../../../src/cluster/facts/hot-facts.ts'
import { readingCopies } from '../../../src/cluster/facts/read-copies.ts'
import { factDefaults } from '../../../src/cluster/facts/settings.ts'
import { composeForgotten } from '../../../src/compose/forgotten.ts'
import { kindOf, SHARD_COUNT } from '../../../src/domain/references.ts'
import type { LocalActors } from '../../../src/ports/actors.ts'
import type { ShardMapView } from '../../../src/ports/shard-map.ts'
import { apiOnMemory } from '../../compose/api-on-memory.ts'
import type { Through } from '../../compose/service-on-memory.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { LinkedNodes } from './linked-nodes.ts'

const CUT_OFF_MS = 4_000
const everyShard = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)
const places = everyShard.map(() => ({ owner: 'one', desired: 'one', pinned: false }))
const map: ShardMapView = {
  current: () => ({ version: 1, frozen: false, places }),
  ownerOf: () => 'one',
  refreshed: () => Promise.resolve({ version: 1, frozen: false, places }),
  onChange: () => () => undefined,
}
const copied = new Set(kinds.filter((kind) => kind.isCopied).map(({ prefix }) => prefix))
const isCopied = (actor: string): boolean => copied.has(kindOf(actor))

/**
 * Two whole services with real hosts over one journal, put together as nodes are. The first serves every shard; the
 * second asks it, and reads copies.
 */
export const twoServices = async () => {
  const [runtime, linked, journal, vault] = [
    testRuntime(),
    new LinkedNodes(),
    new MemoryJournal(),
    new MemoryVault(),
  ]
  const living = new Set(['one', 'two'])
  const node = async (name: string, shards: readonly number[]) => {
    const link = { ...linked.of(name), onPeer: () => () => undefined, peers: () => [] }
    const here: { local: LocalActors | null } = { local: null }
    const facts = connectHotFacts(
      {
        node: name,
        link,
        map,
        runtime,
        isCopied,
        readHere: ({ actor, view }) => here.local?.read(actor as never, { view: view as never }),
      },
      factDefaults,
    )
    const readLivingNodes = async () => [...living].filter((each) => each !== name)
    const every = everyNode({ link, readLivingNodes, runtime })
    const cutOff = every.work('cut-off', CUT_OFF_MS, async () => vault.erasedElsewhere())
    const through: Through = (host) => {
      here.local = host
      const report = () => undefined
      const routed = new RoutedActors({
        self: name,
        local: host,
        link,
        map,
        runtime,
        settings: askDefaults,
        report,
      })
      return readingCopies(routed, {
        copies: facts.copies,
        isOpen: (shard) => host.takes(shard),
        isCopied,
      })
    }
    const api = await apiOnMemory(undefined, undefined, through, {
      runtime,
      journal,
      vault,
      shards,
      copies: facts.elsewhere,
      ports: (actors) => ({
        activeTenants: new ActiveTenants({ actors }, 0),
        forgotten: composeForgotten({
          cutOff,
          clearedOf: () => Promise.resolve(),
          keysCleaned: () => vault.cleaned(),
          runtime,
        }),
      }),
    })
    return {
      ...api,
      stop: async () => {
        await api.close()
        facts.stop()
      },
    }
  }
  const [one, two] = [await node('one', everyShard), await node('two', [])]
  // Leases are long, and nobody waits for them here.
  const passing = setInterval(() => runtime.forward(20), 2)
  const close = async () => {
    clearInterval(passing)
    linked.mend()
    await two.stop()
    await one.stop()
  }
  return { runtime, linked, living, one, two, close }
}
