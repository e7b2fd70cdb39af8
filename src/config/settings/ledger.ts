import { choice, file, flag, integer, text, url } from '../setting.ts'

export const ledger = {
  engine: choice('VOUCHSAFE_LEDGER', {
    choices: ['sandbox', 'indy'],
    default: 'sandbox',
    doc: 'Where schemas and credential definitions are published: a small Indy pool inside the service, for trials, or a real Indy network.',
  }),
  namespace: text('VOUCHSAFE_LEDGER_NAMESPACE', {
    default: 'sandbox',
    doc: 'Name of the Indy network, as in did:indy identifiers.',
  }),
  genesisFile: file('VOUCHSAFE_LEDGER_GENESIS_FILE', {
    default: '',
    doc: 'Genesis transactions of the Indy network.',
  }),
  genesisUrl: url('VOUCHSAFE_LEDGER_GENESIS_URL', {
    default: '',
    doc: 'Where the same are fetched from at the first start, in place of a file; what comes from there is kept.',
  }),
  genesisSha256: text('VOUCHSAFE_LEDGER_GENESIS_SHA256', {
    default: '',
    doc: 'SHA-256 of the genesis transactions, hex: any others are refused. Needed with an address.',
  }),
  refreshSeconds: integer('VOUCHSAFE_LEDGER_REFRESH_SECONDS', {
    default: 300,
    min: 5,
    max: 86_400,
    doc: 'How often the pool is asked which nodes it has.',
  }),
  vdrProxy: flag('VOUCHSAFE_VDR_PROXY', {
    default: true,
    doc: 'Whether anybody may read the ledger through the public port (`vdrProxyUrl`), for networks that block the ports of the ledger.',
  }),
  vdrProxyReadsPerMinute: integer('VOUCHSAFE_VDR_PROXY_READS_PER_MINUTE', {
    default: 120,
    min: 1,
    max: 100_000,
    doc: 'How often one address may do so in a minute, on a node.',
  }),
  endorserSeedFile: file('VOUCHSAFE_LEDGER_ENDORSER_SEED_FILE', {
    default: '',
    doc: "File with the seed of the operator's endorser on the Indy network: 64 hex digits.",
  }),
  sandboxPort: integer('VOUCHSAFE_SANDBOX_PORT', {
    default: 0,
    min: 0,
    max: 65_000,
    doc: 'First of the four ports of the sandbox ledger. They are part of its genesis file, so the first choice stays; 0: free ports.',
  }),
  timeoutMs: integer('VOUCHSAFE_LEDGER_TIMEOUT_MS', {
    default: 20_000,
    min: 500,
    max: 120_000,
    doc: 'How long one request to the ledger may take; a node that does not answer is waited for a quarter of it.',
  }),
}
