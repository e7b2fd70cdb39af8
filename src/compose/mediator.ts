import type { KindPorts } from '../actors/kind-ports.ts'
import { WalletMediator } from '../actors/mailbox/mediator.ts'
import { openRoutingKey } from '../actors/mailbox/mediator-ports.ts'
import type { Inside } from '../didcomm/deliver.ts'
import { shardOfActor } from '../domain/references.ts'
import type { ReportFault } from '../host/faults.ts'
import type { Inbound } from '../http/routes/didcomm.ts'
import type { MailboxWatch } from '../ports/mailbox-watch.ts'
import type { WalletService } from '../ports/wallets.ts'

type OpenPorts = Pick<KindPorts, 'actors' | 'vault' | 'bodies' | 'runtime'> & { readonly report: ReportFault }

/** What lies under our own address could not take a message now. */
class NotTakenIn extends Error {
  override readonly name = 'NotTakenIn'
}

/** Stands where the network address of a sender stands. */
const FROM_INSIDE = 'inside'

/** The mediator stands on the actors whose messages to wallets it takes in, so it comes after them. */
export const mediatorToCome = (publicUrl: () => string) => {
  const watches = Promise.withResolvers<MailboxWatch>()
  const mailboxWatch: MailboxWatch = {
    announce: async (mailbox) => (await watches.promise).announce(mailbox),
    watch: async (mailbox, onMessage) => (await watches.promise).watch(mailbox, onMessage),
  }
  const opening = Promise.withResolvers<WalletMediator>()
  opening.promise.catch(() => undefined)
  const serving = Promise.withResolvers<Inbound>()
  let mediator: WalletMediator | null = null
  const takeIn = async (...[service, sent, signal]: Parameters<Inside['take']>) => {
    const opened = await opening.promise
    signal.throwIfAborted()
    if (opened.keepsFor(service)) return opened.takeIn(service, sent.envelope, sent.message)
    const address = ownAddressIn(service, publicUrl)
    if (address === null) return null
    return (await serving.promise).receive(address, sent.envelope, FROM_INSIDE)
  }
  const inside: Inside = {
    keepsFor: (service) => mediator?.keepsFor(service) ?? false,
    take: async (...sent) => {
      const received = await takeIn(...sent)
      if (received === null) return false
      if (received === 'accepted' || (typeof received === 'object' && 'answer' in received)) return true
      throw new NotTakenIn('the message was not taken under our own address')
    },
  }
  return {
    mailboxWatch,
    inside,
    /** Who takes what is posted to the addresses of single records. */
    serve: (inbound: Inbound): void => serving.resolve(inbound),
    open: async (
      { actors, vault, bodies, runtime, report }: OpenPorts,
      openWatches: MailboxWatch,
    ): Promise<WalletMediator> => {
      watches.resolve(openWatches)
      try {
        const routingKey = await openRoutingKey(vault)
        const parts = { actors, vault, bodies, runtime, publicUrl, mailboxWatch, routingKey }
        const reportLost = (actor: string, error: Error): void =>
          report({ during: 'body', actor, shard: shardOfActor(actor), error })
        mediator = new WalletMediator({ ...parts, reportLost })
        opening.resolve(mediator)
        return mediator
      } catch (error) {
        opening.reject(error)
        throw error
      }
    },
  }
}

/** Null for an address elsewhere. */
const ownAddressIn = ({ endpoint, routingKeys }: WalletService, publicUrl: () => string): string | null => {
  if (routingKeys.length > 0) return null
  const begin = `${knownUrl(publicUrl)}/didcomm/`
  return endpoint.startsWith(begin) ? endpoint.slice(begin.length) : null
}

/** Where none is set, the address is known once the public port is open; nobody was given it before. */
const knownUrl = (publicUrl: () => string): string => {
  try {
    return publicUrl()
  } catch {
    return 'nowhere'
  }
}
