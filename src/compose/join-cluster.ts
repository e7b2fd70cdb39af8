import { hostname } from 'node:os'
import { LeaseKeeper, leaseDefaults, type LeaseSettings, type ThisNode } from '../cluster/lease.ts'
import { linkDefaults } from '../cluster/link/link-settings.ts'
import { openLink } from '../cluster/link/link.ts'
import { LinkSecretError } from '../cluster/link/sockets/secret.ts'
import { openSecretFile } from '../cluster/link/sockets/secret-file.ts'
import { socketTransport } from '../cluster/link/sockets/socket-transport.ts'
import { MapView } from '../cluster/map/map-view.ts'
import { askNextOwners } from '../cluster/map/next-owner.ts'
import type { Config } from '../config/config.ts'
import type { ClusterStores } from '../persistence/open-engine.ts'
import type { ServiceContext } from './service-context.ts'

const CONFIRMED_SHARE = 0.7

/** What a node of a cluster has to do with the others. */
export type ClusterNode = Awaited<ReturnType<typeof joinCluster>>

/**
 * The lease of this node, its links to the others and its copy of the map of shards. Nothing of it runs before `begin`,
 * which is called when everything is there that other nodes may ask for.
 */
export const joinCluster = async (
  { config, log, runtime, lifecycle }: ServiceContext,
  stores: ClusterStores,
) => {
  const own = thisNode(config)
  if (config.cluster.secretFile === '')
    throw new LinkSecretError(
      'VOUCHSAFE_CLUSTER_SECRET_FILE is not set: the nodes around one Cassandra prove by it that they belong together.',
    )
  const { secretFile, linkHost: host, linkPort: port } = config.cluster
  const lease = new LeaseKeeper(stores.leases, runtime, leaseSettings(config), own)
  lifecycle.add('lease', () => lease.leave())
  const secrets = lifecycle.use('cluster-secret', await openSecretFile(secretFile, runtime, log))
  const { bodyBytesMax } = linkDefaults
  const proving = { node: own.node, incarnation: runtime.newId(), secrets }
  const transport = socketTransport({ ...proving, host, port, runtime, log, bodyBytesMax })
  const peers = () => lease.alive().map(({ node, linkAddress: address }) => ({ node, address }))
  const link = openLink({ node: own.node, transport, runtime, settings: linkDefaults, log, peers })
  lifecycle.use('link', link)
  const map = new MapView(stores.map, runtime)
  return {
    self: own.node,
    stores,
    runtime,
    lease,
    link,
    map,
    /** Whether another node says that it waits for a shard. */
    isAwaited: askNextOwners({ node: own.node, link, map, membership: lease }),
    /** The others, as this node has last seen them. */
    livingNodes: (): readonly string[] =>
      lease.alive().flatMap(({ node }) => (node === own.node ? [] : [node])),
    /** The same, read from the store. */
    readLivingNodes: async (): Promise<readonly string[]> =>
      (await stores.leases.list()).flatMap(({ node, state }) =>
        state === 'alive' && node !== own.node ? [node] : [],
      ),
    mayServe: (): boolean => lease.session()?.valid() === true,
    begin: async (): Promise<void> => {
      await link.start()
      lease.start(
        config.cluster.linkAddress || `${isEverywhere(host) ? hostname() : host}:${transport.port()}`,
      )
    },
  }
}

const isEverywhere = (host: string): boolean => host === '0.0.0.0' || host === '::'

export const thisNode = ({ cluster, operations }: Config): ThisNode => ({
  node: cluster.nodeName || hostname(),
  address: cluster.nodeAddress || `${hostname()}:${operations.privatePort}`,
})

const leaseSettings = ({ cluster }: Config): LeaseSettings => ({
  ...leaseDefaults,
  heartbeatMs: cluster.heartbeatIntervalMs,
  watchMs: Math.min(leaseDefaults.watchMs, cluster.heartbeatIntervalMs),
  deadMs: cluster.deadAfterMs,
  validMs: Math.floor(cluster.deadAfterMs * CONFIRMED_SHARE),
})
