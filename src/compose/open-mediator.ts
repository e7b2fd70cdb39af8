import { LiveSessions } from '../actors/mailbox/live-sessions.ts'
import type { Forward, Inbound } from '../http/routes/didcomm.ts'
import { LargeEnvelopes } from '../http/routes/large-envelopes.ts'
import type { SocketDoor } from '../ports/sockets.ts'
import type { DurableActors } from './durable-actors.ts'
import { composeMailboxWatches } from './mailbox-watches.ts'
import type { mediatorToCome } from './mediator.ts'
import type { ServiceContext } from './service-context.ts'

/** The mediator, and who talks for it with wallets on sockets. */
export const openMediator = async (
  context: ServiceContext,
  durable: DurableActors,
  toCome: ReturnType<typeof mediatorToCome>,
) => {
  const { runtime, lifecycle } = context
  const mailboxWatch = composeMailboxWatches(context, durable)
  const mediator = await toCome.open(durable, mailboxWatch)
  const largeEnvelopes = new LargeEnvelopes(() => runtime.monotonicMs())
  const takeLarge: LargeEnvelopes['take'] = (address, from) => largeEnvelopes.take(address, from)
  const sessions = new LiveSessions({ mediator, mailboxWatch, runtime, takeLarge })
  lifecycle.add('live-sessions', async () => sessions.stop())
  const sockets: SocketDoor = sessions
  return {
    mediator,
    sockets,
    /** Who takes what is posted; what is said on sockets counts into the same limits. */
    serve: <Wallets extends { readonly inbound: Inbound; readonly forward: Forward }>(wallets: Wallets) => {
      toCome.serve(wallets.inbound)
      return { ...wallets, largeEnvelopes }
    },
  }
}
