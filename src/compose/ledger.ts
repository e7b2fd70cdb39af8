import type { ApiPorts } from '../actors/kind-ports.ts'
import type { Config } from '../config/config.ts'
import type { LedgerFacts } from '../http/routes/ledger.ts'
import type { VdrProxyParts } from '../http/routes/vdr-proxy.ts'
import { DidAnswers } from '../ledger/did-answers.ts'
import { genesisSigner } from '../ledger/genesis-signature.ts'
import { openLedger, type OpenLedger } from '../ledger/open-ledger.ts'
import type { PoolStatus } from '../ledger/pool-health.ts'
import { VdrReads } from '../ledger/vdr-reads.ts'
import type { LedgerQuestion } from '../ports/ledger.ts'
import type { PartHealth } from '../ports/node-health.ts'
import type { Vault } from '../ports/vault.ts'
import { showLedgerStatus } from '../telemetry/metrics.ts'
import type { ServiceContext } from './service-context.ts'

/** The ledger of the configuration, with its log lines and metrics. */
export const useLedger = async ({ config, log, lifecycle, metrics }: ServiceContext): Promise<OpenLedger> => {
  const opened = await openLedger(config, {
    failed: (name) => log('ledger.failed', { kind: name }),
    changed: ({ isReachable }) => log(isReachable ? 'ledger.reachable' : 'ledger.unreachable'),
  })
  showLedgerStatus(metrics, () => opened.status)
  return lifecycle.use('ledger', opened)
}

const LEDGER = 'ledger: '

/** A line beside `/ready`. */
export const ledgerDetail = ({ isReachable, sinceMs, refreshedMs }: PoolStatus): string => {
  const time = (ms: number): string => new Date(ms).toISOString()
  const refreshed = refreshedMs === null ? 'not asked yet' : `asked ${time(refreshedMs)}`
  return `${LEDGER}${isReachable ? 'reachable' : `unreachable since ${time(sinceMs)}`}, ${refreshed}`
}

/** The same for operators; alone it makes no node unhealthy. */
export const ledgerHealth = (status: PoolStatus): PartHealth => ({
  name: 'ledger',
  isUp: status.isReachable,
  detail: ledgerDetail(status).slice(LEDGER.length),
})

/** What wallets are told. */
export const ledgerFacts = async (
  { namespace, genesisFiles }: OpenLedger,
  vault: Vault,
  config: Config,
): Promise<LedgerFacts> => {
  const { sign, signingPublicKey } = await genesisSigner(vault)
  const [genesis, ...earlier] = genesisFiles.map((file) => ({ ...file, signature: sign(file.text) }))
  if (genesis === undefined) throw new Error('a ledger has a genesis file')
  return { namespace, genesis, earlier, signingPublicKey, hasVdrProxy: config.ledger.vdrProxy }
}

/** What strangers may read of the ledger, where they may. */
export const vdrProxyOf = (
  ledger: OpenLedger,
  { config, runtime }: ServiceContext,
  { clientAddress }: Pick<ApiPorts, 'clientAddress'>,
): VdrProxyParts | null => {
  if (!config.ledger.vdrProxy) return null
  const reads = new VdrReads({
    read: (question) => ledger.reads.text(question),
    isAway: () => !ledger.status.isReachable,
  })
  const answer = (question: LedgerQuestion) => reads.answer(question)
  const dids = new DidAnswers({ answer, namespace: ledger.namespace })
  return {
    answer,
    resolve: (didUrl) => dids.answer(didUrl),
    genesis: ledger.genesis.text,
    status: () => ledger.status,
    clientAddress,
    readsPerMinute: config.ledger.vdrProxyReadsPerMinute,
    monotonicMs: () => runtime.monotonicMs(),
    now: () => runtime.now(),
  }
}
