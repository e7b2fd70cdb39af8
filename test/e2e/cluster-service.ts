import { readFileSync } from 'node:fs'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { type Call, callService } from '../../src/cli/service-call.ts'
import { ordersBy } from '../../tools/harness/orders.ts'
import { sharedCluster } from '../engines/engines.ts'
import type { ClusterAddress, ClusterNode } from '../engines/shared-cluster.ts'
import type { Target } from './against.ts'
import { type Json, organisationOf, senderTo } from './running-service.ts'
import type { ServiceUnderTest } from './service-under-test.ts'
import { truthOnCluster } from './stored-truth.ts'

/** An organisation of the test's own on the cluster that all tests of the run share. */
export const clusterService = async (target: Target): Promise<ServiceUnderTest> => {
  const cluster = await sharedCluster()
  trustProxyOf(cluster)
  const { url, operator } = placesOf(cluster, target)
  const give = ordersBy(operator)
  const order = async <Answer = Json>(name: string, input: object): Promise<Answer> =>
    (await give(name, input)) as Answer
  const { tenant, apiKey } = await organisationOf(null, order)
  return {
    tenant,
    apiKey,
    order,
    url,
    publicUrl: cluster.proxyUrl,
    send: senderTo(url, apiKey),
    metrics: async () => {
      const texts = cluster.nodes.map(async ({ privateUrl }) => (await fetch(`${privateUrl}/metrics`)).text())
      return (await Promise.all(texts)).join('\n')
    },
    failedAttempts: (actor) =>
      cluster.nodes.reduce((sum, { logFile }) => sum + failuresIn(readFileSync(logFile, 'utf8'), actor), 0),
    stored: truthOnCluster(cluster),
    // The cluster stays, for others.
    close: () => Promise.resolve(),
  }
}

/** Where requests go, and orders with them; the proxy takes none of those, so they go to each node in turn. */
const placesOf = ({ proxyUrl, nodes }: ClusterAddress, target: Target) => {
  const chosen = nodes.filter(({ name }) => name === target)
  const asked = chosen.length > 0 ? chosen : nodes
  let turn = 0
  const next = (): ClusterNode => {
    const node = asked[turn++ % asked.length]
    if (node === undefined) throw new Error(`the cluster has no ${target}`)
    return node
  }
  const operator: Call = (...call) => callService(next().dataFolder)(...call)
  return { url: () => (target === 'proxy' ? proxyUrl : next().url), operator }
}

/** This process trusts the proxy from here on; wallets that are processes of their own do from their start. */
export const trustProxyOf = ({ authorityFile }: ClusterAddress): void => {
  if (process.env['NODE_EXTRA_CA_CERTS'] === authorityFile) return
  setDefaultCACertificates([...getCACertificates(), readFileSync(authorityFile, 'utf8')])
  process.env['NODE_EXTRA_CA_CERTS'] = authorityFile
}

const failuresIn = (log: string, actor: string): number =>
  log
    .split('\n')
    .filter(
      (line) =>
        line.includes('"event":"actor.failed"') &&
        line.includes('"part":"effect"') &&
        line.includes(`"actor":"${actor}"`),
    ).length
