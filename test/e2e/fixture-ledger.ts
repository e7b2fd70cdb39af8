import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IndyLedger } from '../../src/ledger/indy-ledger.ts'
import { identityFromSeed } from '../../src/ledger/sandbox/identities.ts'
import { startSeparatePool } from '../../src/ledger/sandbox/separate-pool.ts'
import { signerFromSeed } from '../../src/ledger/signer.ts'
import { readFixture } from '../anoncreds/verifier-fixtures.ts'

const NAMESPACE = 'sandbox'
/** Indy's best known test seed; the DID in the ids of the fixtures is its. */
const ISSUER_SEED = Buffer.from('000000000000000000000000Trustee1')

/** A ledger that has the definition which the verifier's fixtures name, at the place which their ids say. */
export const startFixtureLedger = async (folder: string) => {
  const onBug = (name: string): never => {
    throw new Error(`the ledger met a bug: ${name}`)
  }
  const options = { folder: join(folder, 'fixture-ledger'), host: '127.0.0.1', firstPort: 0, onBug }
  let pool = await startSeparatePool(options)
  const ledger = new IndyLedger({
    namespace: NAMESPACE,
    genesis: pool.genesis,
    endorser: signerFromSeed(pool.endorserSeed),
    callTimeoutMs: 10_000,
    callsMax: 10,
    cachedObjectsMax: 10,
  })
  await publishFixture(ledger)
  await ledger[Symbol.asyncDispose]()
  const genesisFile = join(folder, 'fixture-genesis.txn')
  const seedFile = join(folder, 'fixture-endorser.seed')
  writeFileSync(genesisFile, pool.genesis)
  writeFileSync(seedFile, pool.endorserSeed.toString('hex'), { mode: 0o600 })
  return {
    settings: {
      VOUCHSAFE_LEDGER: 'indy',
      VOUCHSAFE_LEDGER_NAMESPACE: NAMESPACE,
      VOUCHSAFE_LEDGER_GENESIS_FILE: genesisFile,
      VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE: seedFile,
    },
    close: () => pool[Symbol.asyncDispose](),
    reopen: async (): Promise<void> => {
      pool = await startSeparatePool(options)
    },
  }
}

const publishFixture = async (ledger: IndyLedger): Promise<void> => {
  const { schema, credentialDefinition, credentialDefinitionId } = readFixture('honest')
  const { name, version, attrNames } = schema as { name: string; version: string; attrNames: string[] }
  const { tag, value } = credentialDefinition as { tag: string; value: Record<string, unknown> }
  const schemaSeqNo = Number(credentialDefinitionId.split('/').at(-2))
  const issuer = identityFromSeed(ISSUER_SEED)
  const signer = signerFromSeed(ISSUER_SEED)
  await ledger.registerIdentity(issuer)
  // A definition is named by the number of its schema's transaction: others come before it until that number is next.
  const publish = (schemaName: string) =>
    ledger.publishSchema(signer, { name: schemaName, version, attributes: attrNames })
  for (let before = 1; ; before++) {
    const { seqNo } = await publish(`before-${before}`)
    if (seqNo >= schemaSeqNo - 1) break
  }
  const { seqNo } = await publish(name)
  if (seqNo !== schemaSeqNo) throw new Error(`the schema is transaction ${seqNo}, not ${schemaSeqNo}`)
  await ledger.publishDefinition(signer, { schemaSeqNo, tag, value })
}
