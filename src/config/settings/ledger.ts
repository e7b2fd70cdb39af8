import { choice, file, integer, text } from '../setting.ts'

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
    doc: 'How long one request to the ledger may take.',
  }),
}
