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
  const { promise, resolve, reject } = Promise.withResolvers<WalletMediator>()
  promise.catch(() => undefined)
  let mediator: WalletMediator | null = null
  const inside: Inside = {
    keepsFor: (service) => mediator?.keepsFor(service) ?? false,
    take: async (service, envelope) => {
      const opened = await promise
      if (!opened.keepsFor(service)) return false
      if ((await opened.takeIn(service, envelope)) !== 'accepted')
        throw new NotTakenIn('our own mediator did not take the message')
      return true
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
      try {
        const routingKey = await openRoutingKey(vault)
        mediator = new WalletMediator({ actors, vault, bodies, runtime, publicUrl, mailboxWatch, routingKey })
        resolve(mediator)
        return mediator
      } catch (error) {
        reject(error)
        throw error
      }
    },
  }
}
