import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { isEnvelope, isReadEnvelope, unpack } from '../../didcomm/envelope.ts'
import { isJson } from '../../didcomm/json.ts'
import { ed25519KeyOf } from '../../didcomm/keys.ts'
import { isType, parseMessage } from '../../didcomm/message.ts'
import { readable } from '../../didcomm/opened-envelope.ts'
import type { BodyReference } from '../../domain/body-reference.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import type { Outcome } from '../../ports/mediator.ts'
import { KeyGone, KeyUnknown } from '../../ports/vault.ts'
import type { OwnMessage } from '../../ports/wallets.ts'
import { dropEnvelopes, dropMessagesOf, keepEnvelope, waitingAmong } from './kept-messages.ts'
import type { MediatorPorts } from './mediator-ports.ts'
import { mailboxFull, noSuchKey } from './rules.ts'
import { mailbox, type MailboxDoor, type QueuedMessage } from './state.ts'

/** Of one mailbox on this node: beyond them the sender comes again, and other mailboxes do not wait. */
const UNDER_WAY_MAX = 32
const TOO_MANY = { retryAfterMs: 1_000 }
/**
 * A mailbox that was full just now is not asked about the next message, nor is that one written. A key that was switched
 * off is: the wallet may switch it on again at any time, and messages are sent to it as soon as that was answered.
 */
const FULL_AGAIN_MS = 500
const FULL_KNOWN_MAX = 10_000

type Coming = { readonly to: string; readonly envelope: string; readonly message: OwnMessage | null }
type Written = { readonly body: BodyReference; readonly of?: string; readonly commandId: string }

type Undelivered = Extract<Outcome, { readonly undelivered: unknown }>

const unknown: Undelivered = { undelivered: 'unknown', reason: noSuchKey.reason }
const full: Undelivered = { undelivered: 'full', reason: mailboxFull.reason }

/** Messages of anybody to wallets behind the mediator: durable before the sender hears that they were taken. */
export class Forwards {
  readonly #ports: MediatorPorts
  readonly #underWay = new Map<string, number>()
  /** Until when, by key. */
  readonly #full = new LRUCache<string, number>({ max: FULL_KNOWN_MAX })

  constructor(ports: MediatorPorts) {
    this.#ports = ports
  }

  /** An envelope for the routing key that all wallets share. */
  async receive(envelope: string): Promise<Outcome> {
    const forward = this.#open(envelope)
    return forward === null ? 'refused' : this.take(forward.to, forward.envelope)
  }

  /**
   * A message for the wallet that has the key; `envelope` is what the wallet gets. `message` is one of our own: who sends
   * it comes again when no answer came in time, with another envelope around it, and it may have been kept all the same.
   */
  async take(key: string, envelope: string, message: OwnMessage | null = null): Promise<Outcome> {
    const { claims, runtime } = this.#ports
    const makesRoom = message?.of?.isOver === true
    if (!makesRoom && runtime.monotonicMs() < (this.#full.get(key) ?? 0)) return full
    const address = await claims.mailboxOf(key)
    if (address === null) return unknown
    const underWay = this.#underWay.get(address) ?? 0
    if (underWay >= UNDER_WAY_MAX) return TOO_MANY
    this.#underWay.set(address, underWay + 1)
    try {
      const outcome = await this.#keep(address, { to: key, envelope, message })
      if (outcome === full) this.#full.set(key, runtime.monotonicMs() + FULL_AGAIN_MS)
      return outcome
    } finally {
      const left = (this.#underWay.get(address) ?? 1) - 1
      if (left > 0) this.#underWay.set(address, left)
      else this.#underWay.delete(address)
    }
  }

  #open(envelope: string): { readonly to: string; readonly envelope: string } | null {
    const { routingKey } = this.#ports
    return readable(() => {
      const { message: text } = unpack(envelope, (key) =>
        key === routingKey.publicKeyBase58 ? routingKey : null,
      )
      const message = parseMessage(text)
      if (message === null || !isType(message, 'routing/1.0', 'forward')) return null
      const { to, msg } = message.body
      const key = typeof to === 'string' ? ed25519KeyOf(to) : null
      if (key === null) return null
      // Older agents write what they forward as a text.
      if (typeof msg === 'string') return isEnvelope(msg) ? { to: key, envelope: msg } : null
      return isJson(msg) && isReadEnvelope(msg) ? { to: key, envelope: JSON.stringify(msg) } : null
    })
  }

  async #keep(address: string, { to, envelope, message }: Coming): Promise<Outcome> {
    const { actors, bodies, runtime } = this.#ports
    if (message?.of?.isOver === true) await dropMessagesOf(this.#ports, address, message.of.exchange)
    const written = await this.#write(address, envelope, message)
    if (written === null) return unknown
    const { commandId, ...whose } = written
    const kept = written.body
    const bytes = Buffer.byteLength(envelope)
    const command = { type: 'KeepMessage', atMs: runtime.now(), to, ...whose, bytes } as const
    const options = { commandId, tenant: null }
    const door = await actors.ask(mailbox.ref(address), command, options)
    if (!isRefused(door)) {
      if (door.lastId !== kept.id) this.#dropUnlessWaiting(address, kept.id).catch(() => undefined)
      this.#announce(address, door).catch(() => undefined)
      return 'accepted'
    }
    dropEnvelopes({ bodies }, address, [kept.id])
    return undelivered(door)
  }

  /** Where the message had been kept before, it waits in the envelope that came with it then. */
  async #dropUnlessWaiting(address: string, id: string): Promise<void> {
    const waiting = await waitingAmong(this.#ports, address, [id])
    if (waiting.length === 0) dropEnvelopes(this.#ports, address, [id])
  }

  /**
   * Null where the mailbox was removed, or went with its organisation, or the exchange was erased; what is known of keys
   * stays.
   */
  async #write(address: string, envelope: string, message: OwnMessage | null): Promise<Written | null> {
    const exchange = message?.of?.isOver === false ? message.of.exchange : null
    const of: Pick<QueuedMessage, 'of'> = exchange === null ? {} : { of: exchange }
    try {
      const name = message === null ? null : await this.#nameOf(message, exchange)
      const body = await keepEnvelope(this.#ports, address, envelope, of)
      return { body, ...of, commandId: `keep:${name ?? body.id}` }
    } catch (error) {
      if (error instanceof KeyGone) return null
      if (!(error instanceof KeyUnknown)) throw error
      const door = await this.#ports.actors.read(mailbox.ref(address), { view: 'door' })
      if (isRefused(door)) return null
      throw error
    }
  }

  /**
   * The same for all attempts at a message. One that says something else, because more is known of the wallet by now, is
   * another message. What an exchange says of a person could be guessed from a plain hash.
   */
  async #nameOf({ sending, text }: OwnMessage, exchange: string | null): Promise<string> {
    const said = `${sending} ${text}`
    if (exchange === null) return hash('sha256', said, 'base64url')
    return (await this.#ports.vault.open(exchange)).fingerprint(said)
  }

  /** Live sessions hear of it, and where none takes it the organisation. What is lost here the mailbox does later. */
  async #announce(address: string, { mayHearAtMs }: MailboxDoor): Promise<void> {
    const { mailboxWatch, actors, runtime } = this.#ports
    const isTaken = await mailboxWatch.announce(address)
    const atMs = runtime.now()
    if (isTaken || atMs < mayHearAtMs) return
    const options = { commandId: `sync:${runtime.newId()}`, tenant: null, mayLinger: true }
    await actors.ask(mailbox.ref(address), { type: 'RequestSync', atMs }, options).catch(() => undefined)
  }
}

const undelivered = ({ refused }: Refused): Undelivered => (refused === mailboxFull.refused ? full : unknown)
