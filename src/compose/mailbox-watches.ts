import { watchesHere } from '../cluster/watches/local-watches.ts'
import { connectMailboxWatches } from '../cluster/watches/mailbox-watches.ts'
import { watchDefaults } from '../cluster/watches/settings.ts'
import type { MailboxWatch } from '../ports/mailbox-watch.ts'
import { showWatches } from '../telemetry/socket-metrics.ts'
import type { DurableActors } from './durable-actors.ts'
import type { ServiceContext } from './service-context.ts'

/** How those who hold a wallet's socket hear of what comes for it, whichever nodes the two are. */
export const composeMailboxWatches = (
  { runtime, lifecycle, metrics }: ServiceContext,
  { cluster, epochOf }: Pick<DurableActors, 'cluster' | 'epochOf'>,
): MailboxWatch => {
  if (cluster === null) {
    const watches = watchesHere(runtime, watchDefaults)
    lifecycle.add('mailbox-watches', async () => watches.stop())
    return watches
  }
  const { self: node, link, map } = cluster
  const watches = connectMailboxWatches({ node, link, map, runtime, epochOf }, watchDefaults)
  showWatches(metrics, watches.size)
  lifecycle.add('mailbox-watches', async () => watches.stop())
  return watches
}
