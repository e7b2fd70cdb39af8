import { type OwnSide, ownSideOf } from '../../didcomm/acquaintances.ts'
import { pack, type ReadEnvelope, readEnvelope } from '../../didcomm/envelope.ts'
import { createOwnKey, type OwnKey } from '../../didcomm/keys.ts'
import { type Message, parseMessage } from '../../didcomm/message.ts'
import { openReadEnvelope, readable } from '../../didcomm/opened-envelope.ts'
import { takesAnswerHere } from '../../didcomm/return-route.ts'
import { isProblemReport } from '../../didcomm/problem-report.ts'
import { CONNECTIONS } from '../../didcomm/protocols/connections.ts'
import { handshakeRefusal, handshakeResponse } from '../../didcomm/protocols/handshake.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { addressed } from '../../ports/actors.ts'
import type { Handled, MediatorSession } from '../../ports/mediator.ts'
import { wallet } from '../wallet/rules.ts'
import { servicesOf } from './addresses.ts'
import { phoneRequestOf } from './handshake.ts'
import type { MediatorPorts } from './mediator-ports.ts'
import { coordinateMediation } from './mediation.ts'
import { answerOthers, asksForAll, isAnswered, notSpoken } from './other-messages.ts'
import { WORD_MS } from './pace.ts'
import { asksForLive, pickUp } from './pickup.ts'
import { tooFast } from './rules.ts'
import { SeenWallets } from './seen-wallets.ts'
import { mailbox, type MailboxDoor, type PhoneConnection, type WalletInvitation } from './state.ts'
import { type Answers, markOf, TOO_FAST } from './wallet-message.ts'

const refused: Handled = { outcome: 'refused', replies: [] }
const comeLater: Handled = { outcome: { retryAfterMs: WORD_MS }, replies: [] }
const accepted = (replies: readonly string[]): Handled => ({ outcome: 'accepted', replies })

const answerLost: Handled = {
  outcome: {
    reason:
      'The answer can go back on the same way alone; send the message with ~transport.return_route "all".',
  },
  replies: [],
}

type Opened = {
  readonly message: Message
  readonly senderKey: string
  /** Ours, which it was sealed for. */
  readonly own: OwnSide
}

/** What the phone of one wallet says to its mailbox, and what it hears. */
export class Conversations {
  readonly #ports: MediatorPorts
  readonly #seen: SeenWallets

  constructor(ports: MediatorPorts) {
    this.#ports = ports
    this.#seen = new SeenWallets(ports)
  }

  async hear(address: string, envelope: string, session: MediatorSession): Promise<Handled> {
    const ref = mailbox.find(address)
    // No record is read for what is no envelope.
    const read = ref === null ? null : readable(() => readEnvelope(envelope))
    if (ref === null || read === null) return refused
    const door = await this.#ports.actors.read(ref, { view: 'door' })
    if (isRefused(door)) return refused
    const { connection, invitation } = door
    const opened = this.#openedOf(read, connection) ?? openedBy(read, keysOf(door))
    if (opened === null) return refused
    const { ownKey } = opened.own
    if (connection?.ownKey === ownKey) return this.#hearPhone(address, door, connection, opened, session)
    const answered = invitation?.ownKey === ownKey ? invitation : connection?.invitation
    return answered ? this.#connect(address, door, answered, opened, session) : refused
  }

  /** What its phone has written, which is nearly all that comes. */
  #openedOf(envelope: ReadEnvelope, connection: PhoneConnection | null): Opened | null {
    if (connection === null) return null
    const { theirKey: senderKey } = connection
    const own = ownSideOf(connection)
    return readable(() => {
      const text = this.#ports.acquaintances.open(envelope, senderKey, own)
      const message = text === null ? null : parseMessage(text)
      return message && { message, senderKey, own }
    })
  }

  /** Only who has the secret of the invitation, which is the wallet's, can have written this. */
  async #connect(
    address: string,
    { walletId }: MailboxDoor,
    invitation: WalletInvitation,
    { message, senderKey, own: invitationSide }: Opened,
    session: MediatorSession,
  ): Promise<Handled> {
    if (isProblemReport(message)) return accepted([])
    const request = readable(() => phoneRequestOf(message))
    if (request === null) return refused
    // Of the older protocol not every wallet says which invitation it answers; the key has said it.
    if (request.invitationId !== invitation.id && request.protocol !== CONNECTIONS) return refused
    if (!takesAnswer(message, session)) return answerLost
    const { actors, runtime } = this.#ports
    const connection: PhoneConnection = {
      invitation,
      requestId: request.id,
      theirKey: senderKey,
      ...createOwnKey(),
      isComplete: false,
    }
    const owner = await actors.read(wallet.ref(walletId))
    if (isRefused(owner) || owner.status === 'revoked') return refused
    const connected = await actors.ask(
      mailbox.ref(address),
      { type: 'ConnectPhone', atMs: runtime.now(), connection },
      { commandId: `connect:${runtime.newId()}`, tenant: null },
    )
    const invitationKey = invitationSide.pair()
    const answer = isRefused(connected)
      ? handshakeRefusal(request, connected.reason)
      : handshakeResponse({
          request,
          // Of a request that has come before, what was made for it then.
          own: servicesOf(this.#ports, address, connected.connection?.ownKey ?? ''),
          invitationKey,
          atMs: runtime.now(),
        })
    return accepted([pack(answer, [senderKey], invitationKey)])
  }

  async #hearPhone(
    address: string,
    door: MailboxDoor,
    connection: PhoneConnection,
    { message, senderKey, own }: Opened,
    session: MediatorSession,
  ): Promise<Handled> {
    if (senderKey !== connection.theirKey) return refused
    if (isProblemReport(message)) return accepted([])
    if (!takesAnswer(message, session) && isAnswered(message)) return answerLost
    const { walletId } = door
    if (!connection.isComplete && !(await this.#complete(address, walletId, senderKey))) return refused
    // Whoever sends such an envelope again on a socket of his own would have what comes for the phone, in its place.
    const isOnce = asksForAll(message, session) || asksForLive(message, session)
    const hearing = isOnce ? this.#hearFirst(address, message) : null
    // Where messages are pushed already the phone has shown that it is there, and what this acknowledges shares the commit.
    const isPushed = session.mode !== null
    const heardFirst = isPushed ? null : await hearing
    if (heardFirst !== null) return notHeard(heardFirst)
    this.#seen.saw(walletId)
    session.opened({ mailbox: address, connection: connection.ownKey })
    const heard = isPushed ? await hearing : null
    if (heard !== null) return notHeard(heard)
    const answers = await this.#answer(address, door, message, session)
    if (answers === TOO_FAST) return comeLater
    return accepted(answers.map((answer) => this.#ports.acquaintances.pack(answer, senderKey, own)))
  }

  /** The first message over the connection shows that the phone has it; from then on the wallet is one that has connected. */
  async #complete(address: string, walletId: string, theirKey: string): Promise<boolean> {
    const { actors, runtime } = this.#ports
    const atMs = runtime.now()
    const completed = await actors.askAtomically(
      [
        addressed(wallet.ref(walletId), { type: 'RecordWalletConnected', atMs }),
        addressed(mailbox.ref(address), { type: 'CompletePhone', atMs, theirKey }),
      ],
      { commandId: `complete:${runtime.newId()}`, tenant: null },
    )
    return !isRefused(completed)
  }

  /** Null where it is heard for the first time, and may be. */
  async #hearFirst(address: string, message: Message): Promise<Refused | null> {
    const { actors, runtime } = this.#ports
    const heard = await actors.ask(
      mailbox.ref(address),
      { type: 'HearMessage', atMs: runtime.now(), mark: markOf(message) },
      { commandId: `hear:${runtime.newId()}`, tenant: null },
    )
    return isRefused(heard) ? heard : null
  }

  async #answer(
    address: string,
    door: MailboxDoor,
    message: Message,
    session: MediatorSession,
  ): Promise<Exclude<Answers, null>> {
    const answers: Answers =
      answerOthers(address, message, session) ??
      (await pickUp(this.#ports, { address, door }, message, session)) ??
      (await coordinateMediation(this.#ports, address, message))
    return answers ?? [notSpoken(message)]
  }
}

/**
 * Over HTTP an answer goes back only where it is waited for; a socket has nobody else at its end. Asked before anything is
 * done, so that what was answered by a refusal has changed nothing.
 */
const takesAnswer = (message: Message, { isSocket }: MediatorSession): boolean =>
  isSocket || takesAnswerHere(message)

const notHeard = ({ refused: why }: Refused): Handled => (why === tooFast.refused ? comeLater : refused)

/** Of all keys of the mailbox: null for an envelope that none of them opens, or that is no message of anybody. */
const openedBy = (envelope: ReadEnvelope, keys: readonly OwnKey[]): Opened | null => {
  const sideOf = (key: string): OwnSide | null => {
    const found = keys.find(({ ownKey }) => ownKey === key)
    return found === undefined ? null : ownSideOf(found)
  }
  const opened = openReadEnvelope(envelope, (key) => sideOf(key)?.pair() ?? null)
  const own = opened && sideOf(opened.recipientKey)
  return opened && own && { message: opened.message, senderKey: opened.senderKey, own }
}

/** Ours that something may be sealed for: of the connection, and of the invitations that lead to one. */
const keysOf = ({ connection, invitation }: MailboxDoor): readonly OwnKey[] =>
  [connection, connection?.invitation, invitation].filter((each) => each !== null && each !== undefined)
