import { trustProxyOf } from '../../../e2e/cluster-service.ts'
import { sharedCluster } from '../../../engines/engines.ts'
import type { OpenPlace } from './console-place.ts'
import { placeOnCluster } from './place-on-cluster.ts'

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
  return placeOnCluster(cluster)
}
