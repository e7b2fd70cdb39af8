import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { untilFound } from '../../../../tools/harness/waiting.ts'
import { type ConsolePlace, type Json, type LocalOrder, orderAt } from './console-place.ts'

/** Nodes on this machine, and the proxy before them. */
export type NodesBehindProxy = {
  readonly proxyUrl: string
  readonly authorityFile: string
  readonly nodes: readonly { readonly dataFolder: string }[]
}

const LIMIT_MS = 60_000
const TENANTS = '/v1/operator/tenants'

/** An organisation of its own on a cluster, which stays. */
export const placeOnCluster = async (cluster: NodesBehindProxy): Promise<ConsolePlace> => {
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

/** Of the certificate that the proxy shows: the browser takes it then as if an authority that it knows had issued it. */
const keyHashOf = async ({ proxyUrl, authorityFile }: NodesBehindProxy): Promise<string> => {
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
