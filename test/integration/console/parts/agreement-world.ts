import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  AcceptanceMechanismsRequest,
  type IndyVdrRequest,
  PoolCreate,
  TransactionAuthorAgreementRequest,
} from '@hyperledger/indy-vdr-nodejs'
import sodium from 'sodium-native'
import { type SandboxPool, startSandboxPool } from '../../../../src/ledger/sandbox/pool.ts'
import { sandboxPlace } from '../../ledger/open-pools.ts'
import { ConsoleWorld } from './console-world.ts'

/** A service on a ledger of its own, whose agreement nobody has accepted yet. */
export const worldWithAgreement = async (
  text: string,
): Promise<{ readonly world: ConsoleWorld; readonly stop: () => Promise<void> }> => {
  const place = await sandboxPlace('console-agreement')
  const pool = await startSandboxPool(place)
  const file = (name: string, content: string): string => {
    writeFileSync(join(place.folder, name), content, { mode: 0o600 })
    return join(place.folder, name)
  }
  const world = new ConsoleWorld({
    VOUCHSAFE_LEDGER: 'indy',
    VOUCHSAFE_LEDGER_NAMESPACE: 'sandbox',
    VOUCHSAFE_LEDGER_GENESIS_FILE: file('genesis.txn', pool.genesis),
    VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE: file('endorser-seed', pool.endorser.seed.toString('hex')),
  })
  const stop = async (): Promise<void> => {
    await world.stop()
    await pool[Symbol.asyncDispose]()
  }
  try {
    await setAgreement(pool, text)
    await world.start()
    return { world, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Written by the trustee of the pool, with a client that is not ours. */
const setAgreement = async (pool: SandboxPool, text: string): Promise<void> => {
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
  await write(new TransactionAuthorAgreementRequest({ submitterDid, version: '2.0', text, ratificationTs }))
  client.close()
}
