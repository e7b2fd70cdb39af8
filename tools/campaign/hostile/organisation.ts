import { publishForFlows } from '../../flows/publish.ts'
import { Tenant } from '../../flows/tenant.ts'
import { startProcess } from '../../harness/module-process.ts'
import type { Place } from '../../harness/place.ts'

type Backend = typeof import('../../../bench/load/tenant.ts')
type Wallets = typeof import('../../../bench/load/wallets.ts')

const PATIENCE_MS = 120_000
const INVITED_AT_ONCE = 8
const LIFE_SECONDS = 86_400

/** An organisation whose backend and wallets have a process each, ready to issue. */
export const openOrganisation = async (place: Place, url: string, wanted: number) => {
  const backend = await startProcess<Backend>(new URL('../../../bench/load/tenant.ts', import.meta.url))
  place.add('backend', () => backend[Symbol.asyncDispose]())
  const wallets = await startProcess<Wallets>(new URL('../../../bench/load/wallets.ts', import.meta.url))
  place.add('wallets', () => wallets[Symbol.asyncDispose]())
  const tenant = new Tenant({ url, dataFolder: place.dataFolder, patienceMs: PATIENCE_MS })
  const endpoint = { url: (await backend.call('listen')).value, secret: '' }
  const { definitionId, network } = await publishForFlows(tenant, {
    url: endpoint.url,
    useSecret: (secret) => Object.assign(endpoint, { secret }),
  })
  const { key } = await tenant.order('key create', { tenant: tenant.id, label: 'backend' })
  await backend.call('meet', url, String(key), endpoint.secret)
  await wallets.call('listen', 1)
  await wallets.call('useLedger', network.indyNamespace, network.genesis)
  const invited = (await backend.call('invite', wanted, INVITED_AT_ONCE)).value
  const urls = invited.map((each) => each.url)
  await wallets.call('connect', urls, INVITED_AT_ONCE)
  const names = invited.map(({ externalId }) => externalId)
  const connections = (await backend.call('connected', names)).value
  const expiresAt = String(Math.floor(Date.now() / 1_000) + LIFE_SECONDS)
  const definition = { definitionId, attributes: { name: 'Ada', age: '36', expiresAt } }
  return {
    tenant,
    connections,
    issueFor: async (pace: Parameters<Backend['issueFor']>[2]) =>
      (await backend.call('issueFor', connections, definition, pace)).value,
  }
}
