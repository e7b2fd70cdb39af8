import { hostname } from 'node:os'
import { Touch, type TouchSettings } from '../cluster/in-touch.ts'
import { gapMaxMs, LeaseKeeper, leaseDefaults, type LeaseSettings, type ThisNode } from '../cluster/lease.ts'
import { linkDefaults } from '../cluster/link/link-settings.ts'
import { openLink } from '../cluster/link/link.ts'
import { LinkSecretError } from '../cluster/link/sockets/secret.ts'
import { openSecretFile } from '../cluster/link/sockets/secret-file.ts'
import { socketTransport } from '../cluster/link/sockets/socket-transport.ts'
import { askWhatIsHeldUp } from '../cluster/map/held-up.ts'
import { MapView } from '../cluster/map/map-view.ts'
import type { Peer } from '../cluster/link/wire.ts'
import { askNextOwners } from '../cluster/map/next-owner.ts'
import type { Config } from '../config/config.ts'
import type { ClusterStores } from '../persistence/open-engine.ts'
import type { NodeLink } from '../ports/node-link.ts'
import type { ServiceContext } from './service-context.ts'

const CONFIRMED_SHARE = 0.7
/** Of the time after which a node counts as dead: one that dies must be known as dead before anybody leaves because of it. */
const OUT_OF_TOUCH_SHARE = 2
/** A link that was lost is there again sooner, whatever else is set. */
const OUT_OF_TOUCH_MS_MIN = 15_000
const COME_IN_MS = 5_000

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
  const settings = leaseSettings(config)
  const lease = new LeaseKeeper(stores.leases, runtime, settings, own)
  lifecycle.add('lease', () => lease.leave())
  const secrets = lifecycle.use('cluster-secret', await openSecretFile(secretFile, runtime, log))
  const { bodyBytesMax } = linkDefaults
  const incarnation = () => lease.incarnation()
  const isNow: LeaseKeeper['isNow'] = (node, theirs) => lease.isNow(node, theirs)
  const proving = { node: own.node, incarnation, isNow, secrets }
  const transport = socketTransport({ ...proving, host, port, runtime, log, bodyBytesMax })
  const linked = { node: own.node, incarnation, peers: () => peersIn(lease) }
  const link = openLink({ ...linked, transport, runtime, settings: linkDefaults, log })
  lifecycle.use('link', link)
  const touching = touchSettings(settings)
  const touch = new Touch({
    own: () => ({ node: own.node, reached: new Set(connectedIn(link)) }),
    settings: touching,
    leaves: () => log('link.out_of_touch', { node: own.node }),
  })
  const map = new MapView(stores.map, runtime)
  const heldUp = askWhatIsHeldUp(link)
  const awaiting = { node: own.node, link, map, membership: lease, heldUp: heldUp.here }
  return {
    self: own.node,
    stores,
    runtime,
    lease,
    link,
    /** Connections to the port of the nodes: how many proved nothing since the start, and yet. */
    strangers: () => ({ total: transport.strangers(), now: transport.unproved() }),
    map,
    /** Whether another node says that it waits for a shard. */
    isAwaited: askNextOwners(awaiting),
    /** Whether another node hangs. */
    heldUp,
    /** Of nodes that do not reach each other for so long, one leaves. */
    outOfTouchMs: touching.outOfTouchMs,
    /** The others, as this node has last seen them. */
    livingNodes: (): readonly string[] =>
      lease.alive().flatMap(({ node }) => (node === own.node ? [] : [node])),
    /** The same, read from the store. */
    readLivingNodes: async (): Promise<readonly string[]> =>
      (await stores.leases.list()).flatMap(({ node, state }) =>
        state === 'alive' && node !== own.node ? [node] : [],
      ),
    mayServe: (): boolean => lease.session()?.valid() === true,
    /** Another one after this node was taken for dead. */
    session: (): string | null => lease.session()?.owner ?? null,
    begin: async (): Promise<void> => {
      await link.start()
      const reachedAt = `${isEverywhere(host) ? hostname() : host}:${transport.port()}`
      lease.start(config.cluster.linkAddress || reachedAt, touch)
    },
  }
}

/** A node that has no name of its own, because it has no lease, has no links. */
const peersIn = (lease: LeaseKeeper): readonly Peer[] =>
  lease.incarnation() === null
    ? []
    : lease.standing().map(({ node, linkAddress: address, incarnation }) => ({ node, address, incarnation }))

const connectedIn = (link: NodeLink): readonly string[] =>
  link.peers().flatMap(({ node, state }) => (state === 'connected' ? [node] : []))

const touchSettings = (lease: LeaseSettings): TouchSettings => ({
  comeInMs: COME_IN_MS,
  outOfTouchMs: Math.max(OUT_OF_TOUCH_MS_MIN, lease.deadMs * OUT_OF_TOUCH_SHARE),
  gapMaxMs: gapMaxMs(lease),
})

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
