import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  AcceptanceMechanismsRequest,
  type IndyVdrRequest,
  PoolCreate,
  TransactionAuthorAgreementRequest,
} from '@hyperledger/indy-vdr-nodejs'
import sodium from 'sodium-native'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type SandboxPool, startSandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { against } from '../../e2e/against.ts'
import { sandboxPlace } from '../ledger/open-pools.ts'
import { ConsoleWorld, enrol, faultsOf } from './parts/console-world.ts'
import { idOf } from './parts/furnished.ts'
import { goToPage } from './parts/pages.ts'

const PATIENCE = { timeout: 60_000 }
const TEXT = 'Every author declares that <img src="/x" onerror="document.title = \'ran\'"> holds.'

let pool: SandboxPool
let world: ConsoleWorld
beforeAll(async () => {
  if (against !== null) return
  const place = await sandboxPlace('console-agreement')
  pool = await startSandboxPool(place)
  await setAgreement()
  const file = (name: string, text: string): string => {
    writeFileSync(join(place.folder, name), text, { mode: 0o600 })
    return join(place.folder, name)
  }
  world = new ConsoleWorld({
    VOUCHSAFE_LEDGER: 'indy',
    VOUCHSAFE_LEDGER_NAMESPACE: 'sandbox',
    VOUCHSAFE_LEDGER_GENESIS_FILE: file('genesis.txn', pool.genesis),
    VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE: file('endorser-seed', pool.endorser.seed.toString('hex')),
  })
  await world.start()
})
afterAll(async () => {
  if (against !== null) return
  await world.stop()
  await pool[Symbol.asyncDispose]()
})

/** Written by the trustee of the pool, with a client that is not ours. */
const setAgreement = async (): Promise<void> => {
  const client = new PoolCreate({ parameters: { transactions: pool.genesis } })
  const write = async (request: IndyVdrRequest): Promise<void> => {
    const signature = Buffer.alloc(sodium.crypto_sign_BYTES)
    sodium.crypto_sign_detached(signature, Buffer.from(request.signatureInput), pool.trustee.secretKey)
    request.setSignature({ signature })
    await client.submitRequest(request)
  }
  const { did: submitterDid } = pool.trustee
  const aml = { at_submission: 'With each write.', for_session: 'By a click.' }
  await write(new AcceptanceMechanismsRequest({ submitterDid, aml, version: '1.0' }))
  const ratificationTs = Math.floor(Date.now() / 1_000)
  await write(
    new TransactionAuthorAgreementRequest({ submitterDid, version: '2.0', text: TEXT, ratificationTs }),
  )
  client.close()
}

it('an operator reads the agreement of the ledger and accepts it; then organisations are written to the ledger', async () => {
  // The cluster of the proxy stands on a ledger that other tests write to.
  if (against !== null) return
  const { page, complaints } = await world.open()
  await enrol(page, await world.inviteOperator('ops'), 'Oskar Operator', 'Organisations')
  const id = idOf(await world.order('POST', '/v1/operator/tenants', { name: 'Harbour Office' }))
  await goToPage(page, world, 'agreement')
  await page.getByText(TEXT).waitFor()
  expect(await faultsOf(page)).toEqual([])
  await page.getByLabel('How it is accepted').selectOption('for_session')
  await page.getByText('By a click.').waitFor()
  await page.getByRole('button', { name: 'Accept the agreement' }).click()
  await page.getByRole('heading', { name: 'Accepted' }).waitFor()
  expect(await page.locator('main').innerText()).toContain('for_session')
  expect(await world.order('GET', '/v1/operator/ledger-agreement')).toMatchObject({
    status: 'accepted',
    version: '2.0',
    acceptedMechanism: 'for_session',
  })
  expect(await faultsOf(page)).toEqual([])
  await expect
    .poll(async () => (await world.order('GET', `/v1/operator/tenants/${id}`))['registered'], PATIENCE)
    .toBe(true)
  expect([await page.title(), complaints]).toEqual([expect.stringContaining('Ledger agreement'), []])
})
