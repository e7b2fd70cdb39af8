import type { Config } from '../config/config.ts'
import type { Lifecycle } from '../lifecycle.ts'
import type { NodeLink } from '../ports/node-link.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { ShardMapView } from '../ports/shard-map.ts'
import type { Engine } from '../persistence/open-engine.ts'
import type { Log } from '../telemetry/logger.ts'
import type { Metrics } from '../telemetry/metrics.ts'

/** What the nodes of a cluster offer each other. */
export type NodePorts = { readonly link: NodeLink; readonly map: ShardMapView }

/** What the service is opened with. */
export type ServiceContext = {
  readonly config: Config
  readonly log: Log
  readonly metrics: Metrics
  /** Takes all that is opened; its owner closes it, in the opposite order, also when the rest could not be opened. */
  readonly lifecycle: Lifecycle
  readonly runtime: Runtime
  /** What makes offers and proof requests unique. */
  readonly newNonce: () => string
  /** Link and map of a cluster, beside the engine that its nodes share; left out where this process is alone. */
  readonly openNodes?: (engine: Engine) => Promise<NodePorts>
}
