import type { ReportAsk } from '../cluster/asks/other-nodes.ts'
import { RoutedActors } from '../cluster/asks/routed-actors.ts'
import { askDefaults } from '../cluster/asks/settings.ts'
import { onceAMinute } from '../cluster/link/once-a-minute.ts'
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
  const report = unreadableReport({ log, runtime })
  const routed = new RoutedActors({ self, local, link, map, runtime, settings, report })
  return lifecycle.use('asks', routed)
}

/** A node of a release that does not fit sends many that cannot be read. */
export const unreadableReport = ({ log, runtime }: Pick<ServiceContext, 'log' | 'runtime'>): ReportAsk => {
  const isToLog = onceAMinute(() => runtime.monotonicMs())
  return ({ node, error }) => {
    const count = isToLog(node)
    if (count !== null) log('ask.unreadable', { node, count, error })
  }
}
