import { Acquaintances, ownSideOf } from '../../didcomm/acquaintances.ts'
import type { Received } from '../../didcomm/opened-envelope.ts'
import { isRefused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import {
  type Handled,
  type Mediator,
  type MediatorSession,
  type Outcome,
  type Phone,
  postTo,
  type PushMode,
  type WaitingMessage,
} from '../../ports/mediator.ts'
import type { OwnMessage, WalletService } from '../../ports/wallets.ts'
import { KeyClaims } from '../mediated-key/claims.ts'
import { Conversations } from './conversation.ts'
import { Forwards } from './forwards.ts'
import { openMessages, takeMessages } from './kept-messages.ts'
import { LostMessages } from './lost-messages.ts'
import type { MediatorPorts } from './mediator-ports.ts'
import { liveDelivery } from './pickup.ts'
import { mailbox } from './state.ts'

/** Takes and hands out the messages of wallets that have no address of their own. */
export class WalletMediator implements Mediator {
  readonly #ports: MediatorPorts
  readonly #forwards: Forwards
  readonly #conversations: Conversations

  constructor(given: Omit<MediatorPorts, 'claims' | 'acquaintances' | 'lost'>) {
    this.#ports = {
      ...given,
      claims: new KeyClaims(given),
      acquaintances: new Acquaintances(),
      lost: new LostMessages(given.runtime),
    }
    this.#forwards = new Forwards(this.#ports)
    this.#conversations = new Conversations(this.#ports)
  }

  async handle(envelope: string, session: MediatorSession): Promise<Handled> {
    const { address } = session
    if (address !== null) return this.#conversations.hear(address, envelope, session)
    return { outcome: await this.#forwards.receive(envelope), replies: [] }
  }

  async waiting(
    { mailbox: address, connection }: Phone,
    after: number,
    limit: number,
    mode: PushMode,
  ): Promise<readonly WaitingMessage[] | null> {
    const queue = await this.#ports.actors.read(mailbox.ref(address), { view: 'queue' })
    if (isRefused(queue) || queue.connection?.ownKey !== connection) return null
    const { theirKey } = queue.connection
    const next = queue.messages.filter(({ place }) => place > after)
    const most = { countMax: limit, bytesMax: limits.envelopeBytesMax }
    const opened = await openMessages(this.#ports, address, next, most)
    if (mode === 'implicit') return opened
    const own = ownSideOf(queue.connection)
    const { acquaintances } = this.#ports
    return opened.map((each) => ({
      ...each,
      envelope: acquaintances.pack(liveDelivery(each), theirKey, own),
    }))
  }

  async acknowledge({ mailbox: address, connection }: Phone, ids: readonly string[]): Promise<boolean> {
    return !isRefused(await takeMessages(this.#ports, address, ids, connection))
  }

  /** What is posted to an address; null for the one that all wallets share. */
  async receive(address: string | null, envelope: string): Promise<Received> {
    const { outcome, replies } = await this.handle(envelope, postTo(address))
    const [answer] = replies
    return outcome === 'accepted' && answer !== undefined ? { answer } : outcome
  }

  /**
   * Whether a wallet waits for its messages here. Its address may be an older one of the service; the key is the same for
   * ever.
   */
  keepsFor({ recipientKeys, routingKeys }: WalletService): boolean {
    const [routing, ...more] = routingKeys
    return more.length === 0 && recipientKeys.length > 0 && routing === this.#ports.routingKey.publicKeyBase58
  }

  /** Takes a message of our own for such a wallet, once however often it comes. It needs no forward around it. */
  takeIn(
    { recipientKeys: [key = ''] }: WalletService,
    envelope: string,
    message: OwnMessage,
  ): Promise<Outcome> {
    return this.#forwards.take(key, envelope, message)
  }
}
