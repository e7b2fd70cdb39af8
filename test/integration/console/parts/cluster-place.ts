import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { untilFound } from '../../../../tools/harness/waiting.ts'
import { trustProxyOf } from '../../../e2e/cluster-service.ts'
import { sharedCluster } from '../../../engines/engines.ts'
import type { ClusterAddress } from '../../../engines/shared-cluster.ts'
import { type Json, type LocalOrder, type OpenPlace, orderAt } from './console-place.ts'

const LIMIT_MS = 60_000
/** What the nodes are set to in any case. */
const IN_ANY_CASE = new Set([
  'VOUCHSAFE_ALLOW_PRIVATE_TARGETS',
  'VOUCHSAFE_SESSION_REQUESTS_PER_MINUTE',
  'VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE',
  // Passkeys want the name of a host, which the proxy has.
  'PORT',
  'VOUCHSAFE_PUBLIC_URL',
])

/** The cluster that all tests of the run share, behind its proxy, with an organisation of the test's own. */
export const clusterPlace: OpenPlace = async (environment) => {
  const others = Object.keys(environment).filter((name) => !IN_ANY_CASE.has(name))
  if (others.length > 0) throw new Error(`the nodes have settings of their own: ${others.join(', ')}`)
  const cluster = await sharedCluster()
  trustProxyOf(cluster)
  let turn = 0
  const order = (wanted: LocalOrder): Promise<Json> => {
    const { dataFolder } = cluster.nodes[turn++ % cluster.nodes.length] ?? { dataFolder: '' }
    return orderAt(dataFolder, wanted)
  }
  const name = `Pier ${randomUUID().slice(0, 8)}`
  const id = String((await order({ method: 'POST', path: TENANTS, body: { name } }))['id'])
  await untilFound(async () => (await order({ method: 'GET', path: `${TENANTS}/${id}` }))['registered'], {
    limitMs: LIMIT_MS,
    everyMs: 200,
    otherwise: () => new Error(`${id} has no identifier on the ledger`),
  })
  const key = await order({
    method: 'POST',
    path: '/v1/operator/api-keys',
    body: { tenantId: id, label: 'console' },
  })
  const administrator = { emailAddress: 'developer@localhost', role: 'admin' }
  const invited = await order({ method: 'POST', path: '/v1/members', body: administrator, organisation: id })
  return {
    url: cluster.proxyUrl,
    apiKey: String(key['key']),
    organisation: { id, name },
    invitation: String(invited['invitationLink']),
    browserWords: [`--ignore-certificate-errors-spki-list=${await keyHashOf(cluster)}`],
    order,
    // The cluster stays, for others.
    stop: () => Promise.resolve(),
  }
}

const TENANTS = '/v1/operator/tenants'

/** Of the certificate that the proxy shows: the browser takes it then as if an authority that it knows had issued it. */
const keyHashOf = async ({ proxyUrl, authorityFile }: ClusterAddress): Promise<string> => {
  const { hostname, port } = new URL(proxyUrl)
  const socket = connect({
    host: '127.0.0.1',
    port: Number(port),
    servername: hostname,
    ca: readFileSync(authorityFile),
  })
  await once(socket, 'secureConnect')
  const key = socket.getPeerX509Certificate()?.publicKey.export({ type: 'spki', format: 'der' })
  socket.destroy()
  if (key === undefined) throw new Error('the proxy has shown no certificate')
  return createHash('sha256').update(key).digest('base64')
}
