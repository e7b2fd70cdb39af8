import { askById } from '../host/parts/ask-by-id.ts'
import { expect, it } from 'vitest'
import { KindTables } from '../../src/actors/tables.ts'
import { walletKind } from '../../src/actors/wallet/index.ts'
import { followLists } from '../../src/compose/lists.ts'
import { DIRECTORY_READER } from '../../src/directory/saved-positions.ts'
import { directoryRebuildRoutes } from '../../src/http/routes/directory-rebuild.ts'
import { openDurableActors } from '../../src/compose/durable-actors.ts'
import { givenPorts } from '../actors/given-ports.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { called } from './called-route.ts'
import { contextOn } from './service-context.ts'
import { writtenLog } from '../telemetry/written-log.ts'

const walletActor = walletKind.definition(givenPorts({}))
const WALLETS = 40
const tenant = 'ten_00aaaaaaaaaa'
const idOf = (each: number): string => `wal_${(each * 5).toString(16).padStart(2, '0')}aaaaaaaa`

it('lists are made anew from the journal while they are served, each record once', async () => {
  const context = contextOn(temporaryFolder('lists'))
  const followers = { projectedReader: DIRECTORY_READER }
  const durable = await openDurableActors(context, () => [walletActor], followers)
  const { directory, rebuild } = followLists(context, durable, new KindTables([walletKind]))
  const orders = directoryRebuildRoutes(rebuild)
  const issue = (each: number) =>
    askById(
      durable.actors,
      idOf(each),
      {
        type: 'IssueWalletToken',
        atMs: each,
        tenant,
        installationId: `i${each}`,
        externalId: null,
        tokenHash: 'h',
      },
      { commandId: `issue ${each}`, timeoutMs: 5_000, tenant },
    )
  const total = async (): Promise<number> => {
    const filters = { states: [], externalId: null, fromMs: null, toMs: null, filters: {} }
    const query = { tenant, kind: 'wallet', page: 1, pageSize: 25, q: null, ...filters } as const
    return (await directory.list(query)).total
  }
  await Promise.all(Array.from({ length: WALLETS }, (_, each) => issue(each)))
  await expect.poll(total, { timeout: 60_000 }).toBe(WALLETS)

  await called(orders, 'rebuildDirectory')
  await issue(WALLETS)
  expect(await total()).toBeGreaterThanOrEqual(WALLETS)
  await expect
    .poll(() => called(orders, 'getDirectoryRebuild'), { timeout: 60_000 })
    .toMatchObject({ status: 'done', shards: 256, shardsDone: 256 })
  expect(await called(orders, 'getDirectoryRebuild')).toHaveProperty('records')
  await expect.poll(total, { timeout: 60_000 }).toBe(WALLETS + 1)

  await context.lifecycle.end(() => undefined)
}, 240_000)

const SLOTS = 1_300

it('lists whose file was lost after the journal let its oldest slots go have every record again', async () => {
  const folder = temporaryFolder('lists')
  const { log, logged } = writtenLog()
  const [shard, other] = ['wal_05', 'wal_07'] as const
  const issued = (actor: string, each: number) =>
    [
      actor,
      {
        type: 'IssueWalletToken',
        atMs: Date.now(),
        tenant,
        installationId: actor,
        externalId: null,
        tokenHash: `h${each}`,
      },
      { commandId: `issue ${each}`, timeoutMs: 5_000, tenant },
    ] as const
  const first = contextOn(folder)
  const before = await openDurableActors(first, () => [walletActor])
  await askById(before.actors, ...issued(`${other}aaaaaaaa`, SLOTS))
  for (let each = 0; each < SLOTS; each++) {
    // The first hundred are spoken of only where the journal is about to forget.
    const actor = each < 100 ? each : 100
    await askById(before.actors, ...issued(`${shard}${actor.toString(16).padStart(8, '0')}`, each))
  }
  await expect.poll(() => before.journal.firstKeptNo(5), { timeout: 60_000 }).toBeGreaterThan(100)
  await first.lifecycle.end(() => undefined)

  const context = { ...contextOn(folder), log }
  const followers = { projectedReader: DIRECTORY_READER }
  const durable = await openDurableActors(context, () => [walletActor], followers)
  const { directory } = followLists(context, durable, new KindTables([walletKind]))
  const filters = { states: [], externalId: null, fromMs: null, toMs: null, filters: {} }
  const query = { tenant, kind: 'wallet', page: 1, pageSize: 25, q: null, ...filters } as const
  await expect.poll(async () => (await directory.list(query)).total, { timeout: 60_000 }).toBe(102)
  await expect
    .poll(() => logged, { timeout: 60_000 })
    .toEqual([['directory.rebuilt', { shard: 5, count: 101 }]])

  await context.lifecycle.end(() => undefined)
}, 240_000)
