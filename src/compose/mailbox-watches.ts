import { watchesHere } from '../cluster/watches/local-watches.ts'
import { connectMailboxWatches } from '../cluster/watches/mailbox-watches.ts'
import { watchDefaults } from '../cluster/watches/settings.ts'
import type { MailboxWatch } from '../ports/mailbox-watch.ts'
import type { DurableActors } from './durable-actors.ts'
import type { ServiceContext } from './service-context.ts'

/** How those who hold a wallet's socket hear of what comes for it, whichever nodes the two are. */
export const composeMailboxWatches = (
  { runtime, lifecycle }: ServiceContext,
  { cluster, epochOf }: Pick<DurableActors, 'cluster' | 'epochOf'>,
): MailboxWatch => {
  if (cluster === null) return watchesHere(runtime, watchDefaults)
  const { self: node, link, map } = cluster
  const watches = connectMailboxWatches({ node, link, map, runtime, epochOf }, watchDefaults)
  lifecycle.add('mailbox-watches', async () => watches.stop())
  return watches
}
