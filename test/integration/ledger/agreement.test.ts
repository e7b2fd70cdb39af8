import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  AcceptanceMechanismsRequest,
  type IndyVdrRequest,
  PoolCreate,
  TransactionAuthorAgreementRequest,
} from '@hyperledger/indy-vdr-nodejs'
import sodium from 'sodium-native'
import { IndyLedger } from '../../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../../src/ledger/sandbox/identities.ts'
import { type SandboxPool, startSandboxPool } from '../../../src/ledger/sandbox/pool.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { signerFromSeed } from '../../../src/ledger/signer.ts'
import { AgreementOpen, type LedgerAcceptance } from '../../../src/ports/ledger.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const seed = Buffer.alloc(32, 31)

describe('a ledger with an agreement', () => {
  let pool: SandboxPool
  let client: PoolCreate
  let ledger: IndyLedger
  let accepted: LedgerAcceptance | null = null
  beforeAll(async () => {
    pool = await startSandboxPool({
      folder: temporaryFolder('agreement'),
      host: '127.0.0.1',
      firstPort: await reservePorts(4),
      onBug: (error) => {
        throw error
      },
    })
    client = new PoolCreate({ parameters: { transactions: pool.genesis } })
    ledger = new IndyLedger({
      namespace: 'sandbox',
      genesis: pool.genesis,
      endorser: signerFromSeed(pool.endorser.seed),
      callTimeoutMs: 10_000,
      callsMax: 100,
      cachedObjectsMax: 100,
    })
    ledger.acceptedBy(() => Promise.resolve(accepted))
  })
  afterAll(async () => {
    client.close()
    await ledger[Symbol.asyncDispose]()
    await pool[Symbol.asyncDispose]()
  })

  /** Written by the trustee of the pool, with a client that is not ours. */
  const byTrustee = async (request: IndyVdrRequest): Promise<void> => {
    const signature = Buffer.alloc(sodium.crypto_sign_BYTES)
    sodium.crypto_sign_detached(signature, Buffer.from(request.signatureInput), pool.trustee.secretKey)
    request.setSignature({ signature })
    await client.submitRequest(request)
  }
  const setText = (version: string, text: string) =>
    byTrustee(
      new TransactionAuthorAgreementRequest({
        submitterDid: pool.trustee.did,
        version,
        text,
        ratificationTs: Math.floor(Date.now() / 1_000),
      }),
    )

  const accept = async (): Promise<void> => {
    const found = await ledger.readAgreement()
    if (found === null) throw new Error('there is none')
    accepted = { digest: found.digest, mechanism: 'for_session', acceptedAtMs: Date.now() }
  }

  it('is written to once the text is accepted, and not after another text came', async () => {
    await ledger.registerIdentity(identityFromSeed(seed))
    expect(await ledger.readAgreement()).toBeNull()
    await byTrustee(
      new AcceptanceMechanismsRequest({
        submitterDid: pool.trustee.did,
        aml: { for_session: 'By a click.' },
        version: '1.0',
      }),
    )
    await setText('1.0', 'Be honest.')
    const author = signerFromSeed(seed)
    const publish = (name: string) =>
      ledger.publishSchema(author, { name, version: '1.0', attributes: ['expiresAt'] })
    // It does not know of the text yet; the ledger does.
    await expect(publish('one')).rejects.toThrow(AgreementOpen)
    await expect(publish('one')).rejects.toThrow(AgreementOpen)
    expect(await ledger.readAgreement()).toMatchObject({
      version: '1.0',
      text: 'Be honest.',
      mechanisms: { for_session: 'By a click.' },
    })
    await accept()
    expect(await publish('one')).toMatchObject({ name: 'one' })
    await setText('2.0', 'Be kind.')
    await expect(publish('two')).rejects.toThrow(AgreementOpen)
    await accept()
    expect(await publish('two')).toMatchObject({ name: 'two' })
  }, 60_000)
})
