import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startNodePool } from '../../../src/ledger/sandbox/node-pool.ts'
import { ordersTo } from '../../../tools/harness/orders.ts'
import { ServiceProcess } from '../../service-process.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { sandboxPlace } from './open-pools.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

const PATIENCE = { timeout: 180_000, interval: 200 }

it('the service publishes with one node of four dead, waits with two, and goes on by itself', async () => {
  const place = await sandboxPlace('dead-nodes')
  const pool = closedAtEnd(await startNodePool(place))
  const [genesisFile, seedFile] = [join(place.folder, 'given.txn'), join(place.folder, 'given-seed')]
  writeFileSync(genesisFile, pool.genesis)
  writeFileSync(seedFile, pool.endorser.seed.toString('hex'), { mode: 0o600 })
  const data = join(temporaryFolder('dead-nodes'), 'data')
  const service = new ServiceProcess({
    VOUCHSAFE_DATA_FOLDER: data,
    VOUCHSAFE_LEDGER: 'indy',
    VOUCHSAFE_LEDGER_NAMESPACE: 'sandbox',
    VOUCHSAFE_LEDGER_GENESIS_FILE: genesisFile,
    VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE: seedFile,
    VOUCHSAFE_LEDGER_TIMEOUT_MS: '4000',
  })
  const { url } = await service.untilListening()
  const order = ordersTo(data)
  const tenant = String((await order('tenant create', { name: 'Registry' }))['id'])
  const publish = async (name: string): Promise<string> =>
    String((await order('schema publish', { tenant, name, version: '1.0', attributes: ['expiresAt'] }))['id'])
  const published = (id: string) =>
    expect
      .poll(() => order('schema show', { tenant, id }), PATIENCE)
      .toMatchObject({ status: 'published', lastError: null })
  const kill = async (alias: string): Promise<void> => {
    const { pid } = pool.nodes().find((node) => node.alias === alias) ?? { pid: null }
    if (pid === null) throw new Error(`${alias} is dead already`)
    process.kill(pid, 'SIGKILL')
    await expect.poll(() => pool.nodes().find((node) => node.alias === alias)?.pid).toBeNull()
  }

  await kill('Node3')
  await published(await publish('three are there'))

  await kill('Node1')
  const size = pool.size()
  const waiting = await publish('two are there')
  const failures = () => service.events.filter((event) => event === 'actor.failed').length
  const before = failures()
  // The ledger was asked in vain, and once more.
  await expect.poll(failures, PATIENCE).toBeGreaterThanOrEqual(before + 2)
  expect(await order('schema show', { tenant, id: waiting })).toMatchObject({
    status: 'pending',
    lastError: null,
  })
  expect((await fetch(`${url}/v1/health`)).status).toBe(200)
  expect(pool.size()).toBe(size)

  await pool.revive()
  await published(waiting)
  expect(pool.size()).toBe(size + 1)
  await service.stop()
}, 600_000)
