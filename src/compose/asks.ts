import { RoutedActors } from '../cluster/asks/routed-actors.ts'
import { askDefaults } from '../cluster/asks/settings.ts'
import type { LocalActors } from '../ports/actors.ts'
import type { ClusterNode } from './join-cluster.ts'
import type { ServiceContext } from './service-context.ts'

/** Asks of this process go to whichever node serves their shard. To be called before the link is started. */
export const routeAsks = (
  { config, runtime, lifecycle, log }: Pick<ServiceContext, 'config' | 'runtime' | 'lifecycle' | 'log'>,
  self: string,
  { link, map }: Pick<ClusterNode, 'link' | 'map'>,
  local: LocalActors,
): RoutedActors => {
  const settings = { ...askDefaults, askTimeoutMs: config.actors.askTimeoutMs }
  const report = ({ node, error }: { readonly node: string; readonly error: unknown }): void =>
    log('ask.unreadable', { node, error })
  const routed = new RoutedActors({ self, local, link, map, runtime, settings, report })
  return lifecycle.use('asks', routed)
}
