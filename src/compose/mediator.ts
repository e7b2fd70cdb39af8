import type { KindPorts } from '../actors/kind-ports.ts'
import { WalletMediator } from '../actors/mailbox/mediator.ts'
import { openRoutingKey } from '../actors/mailbox/mediator-ports.ts'
import { type MailboxWatch, nobodyWatches } from '../ports/mailbox-watch.ts'
import type { WalletService } from '../ports/wallets.ts'

type Ports = Pick<KindPorts, 'actors' | 'vault' | 'bodies' | 'runtime' | 'publicUrl'>

/** Our own mediator could not take a message now. */
class NotTakenIn extends Error {
  override readonly name = 'NotTakenIn'
}

/** The mediator stands on the actors whose messages to wallets it takes in, so it comes after them. */
export const mediatorToCome = (mailboxWatch: MailboxWatch = nobodyWatches) => {
  const { promise, resolve } = Promise.withResolvers<WalletMediator>()
  return {
    mailboxWatch,
    takeIn: async (service: WalletService, envelope: string): Promise<boolean> => {
      const outcome = await (await promise).takeIn(service, envelope)
      if (outcome === null || outcome === 'accepted') return outcome !== null
      throw new NotTakenIn('our own mediator did not take the message')
    },
    open: async ({ actors, vault, bodies, runtime, publicUrl }: Ports): Promise<WalletMediator> => {
      const routingKey = await openRoutingKey(vault)
      const mediator = new WalletMediator({
        actors,
        vault,
        bodies,
        runtime,
        publicUrl,
        mailboxWatch,
        routingKey,
      })
      resolve(mediator)
      return mediator
    },
  }
}
