import type { KindPorts } from '../actors/kind-ports.ts'
import { WalletMediator } from '../actors/mailbox/mediator.ts'
import { openRoutingKey } from '../actors/mailbox/mediator-ports.ts'
import type { Inside } from '../didcomm/deliver.ts'
import type { MailboxWatch } from '../ports/mailbox-watch.ts'

type Ports = Pick<KindPorts, 'actors' | 'vault' | 'bodies' | 'runtime' | 'publicUrl'>

/** Our own mediator could not take a message now. */
class NotTakenIn extends Error {
  override readonly name = 'NotTakenIn'
}

/** The mediator stands on the actors whose messages to wallets it takes in, so it comes after them. */
export const mediatorToCome = () => {
  const watches = Promise.withResolvers<MailboxWatch>()
  const mailboxWatch: MailboxWatch = {
    announce: async (mailbox) => (await watches.promise).announce(mailbox),
    watch: async (mailbox, onMessage) => (await watches.promise).watch(mailbox, onMessage),
  }
  let mediator: WalletMediator | null = null
  const inside: Inside = {
    keepsFor: (service) => {
      // Actors that are taken over at the start may owe messages before it is there, and owe them still after it.
      if (mediator === null) throw new NotTakenIn('the mediator is not open yet')
      return mediator.keepsFor(service)
    },
    take: async (service, envelope) => {
      const outcome = (await mediator?.takeIn(service, envelope)) ?? 'refused'
      if (outcome !== 'accepted') throw new NotTakenIn('our own mediator did not take the message')
    },
  }
  return {
    mailboxWatch,
    inside,
    open: async (
      { actors, vault, bodies, runtime, publicUrl }: Ports,
      openWatches: MailboxWatch,
    ): Promise<WalletMediator> => {
      watches.resolve(openWatches)
      const routingKey = await openRoutingKey(vault)
      const given = { actors, vault, bodies, runtime, publicUrl, mailboxWatch, routingKey }
      mediator = new WalletMediator(given)
      return mediator
    },
  }
}
