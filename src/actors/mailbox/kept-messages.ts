import type { BodyReference } from '../../domain/body-reference.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { KeyUnknown } from '../../ports/vault.ts'
import { BodyMissing, keepBody, openBody } from '../bodies.ts'
import { lifeOf } from './evolve.ts'
import type { MediatorPorts } from './mediator-ports.ts'
import { mailbox, type MailboxDoor, type QueuedMessage } from './state.ts'

type Ports = Pick<MediatorPorts, 'actors' | 'bodies' | 'vault' | 'runtime'>
type OpeningPorts = Ports & Pick<MediatorPorts, 'lost' | 'reportLost'>

/** A message that waits for 30 days has its body for a day longer, and others in proportion. */
const bodyLifeOf = (of: Pick<QueuedMessage, 'of'>): number => lifeOf(of) + lifeOf(of) / 30

/**
 * Durable when it resolves. `of`: the exchange whose message it is. Our half of the keys opens an envelope of our own as the
 * wallet's does, so such a one is sealed with the key of its exchange and is gone when that is erased. Throws `KeyGone`
 * where that one was, or the mailbox was removed.
 */
export const keepEnvelope = (
  ports: Ports,
  address: string,
  envelope: string,
  of: Pick<QueuedMessage, 'of'>,
): Promise<BodyReference> => keepBody(ports, address, envelope, { lifeMs: bodyLifeOf(of), ...of })

export type OpenedMessage = QueuedMessage & { readonly envelope: string }

/**
 * The first of them with their envelopes, at most `countMax`, as many as fit into `bytesMax` together, and one at least. One
 * whose envelope is not there is left out; its sender has heard that it was taken, so it stays in the queue. One whose
 * exchange was erased leaves it.
 */
export const openMessages = async (
  ports: OpeningPorts,
  address: string,
  messages: readonly QueuedMessage[],
  { countMax, bytesMax }: { readonly countMax: number; readonly bytesMax: number },
): Promise<readonly OpenedMessage[]> => {
  let rest = ports.lost.without(address, messages)
  while (rest.length > 0) {
    const fitting = within(rest.slice(0, countMax), bytesMax)
    const opened = await Promise.all(fitting.map((message) => openMessage(ports, address, message)))
    const there = opened.filter((each) => typeof each === 'object')
    const are = (what: NotThere) => fitting.filter((_, index) => opened[index] === what)
    if (there.length < opened.length) {
      await noteLost(ports, address, are('lost'))
      // Where that cannot be noted now, whoever looks next does it.
      await dropMessages(ports, address, are('gone')).catch(() => undefined)
    }
    if (there.length > 0) return there
    rest = rest.slice(fitting.length)
  }
  return []
}

/** `gone`: nobody can open it any more, because its exchange was erased. */
type NotThere = 'lost' | 'gone'

const openMessage = async (
  ports: Ports,
  address: string,
  message: QueuedMessage,
): Promise<OpenedMessage | NotThere> => {
  const { of } = message
  try {
    const envelope = await openBody(ports, address, message, of)
    if (envelope !== null) return { ...message, envelope }
    return of === undefined ? 'lost' : 'gone'
  } catch (error) {
    // A key that the store does not know is the trouble of one message, not of those behind it.
    if (error instanceof BodyMissing || error instanceof KeyUnknown) return 'lost'
    throw error
  }
}

/** The envelope of one that was taken in the meantime is not lost. */
const noteLost = async (
  { actors, lost, reportLost }: OpeningPorts,
  address: string,
  missing: readonly QueuedMessage[],
): Promise<void> => {
  const named = missing.map(({ id }) => id)
  const ids = await waitingAmong({ actors }, address, named)
  if (ids.length === 0) return
  lost.note(address, ids)
  reportLost(address, new BodyMissing(address))
}

const within = (messages: readonly QueuedMessage[], bytesMax: number): readonly QueuedMessage[] => {
  let bytes = 0
  const end = messages.findIndex((each, index) => (bytes += each.bytes) > bytesMax && index > 0)
  return end === -1 ? messages : messages.slice(0, end)
}

/** Those of the ids that wait: nothing else is taken, and no envelope deleted that was not there. */
export const waitingAmong = async (
  { actors }: Pick<Ports, 'actors'>,
  address: string,
  ids: readonly string[],
): Promise<readonly string[]> => {
  if (ids.length === 0) return ids
  const waiting = await actors.read(mailbox.ref(address), { view: 'waiting' })
  const named = new Set(ids)
  return isRefused(waiting) ? [] : waiting.filter((id) => named.has(id))
}

/**
 * They leave the queue for good, and their envelopes go behind the commit; they were in it a moment ago. Answers with what
 * is left; refused where the mailbox was removed, has another connection than the one that is named, or its phone is too
 * fast.
 */
export const takeMessages = async (
  { actors, bodies, runtime }: Ports,
  address: string,
  ids: readonly string[],
  connection: string | null = null,
): Promise<MailboxDoor | Refused> => {
  const command = { type: 'TakeMessages', atMs: runtime.now(), ids, connection } as const
  const taken = await actors.ask(mailbox.ref(address), command, {
    commandId: `take:${runtime.newId()}`,
    tenant: null,
    mayLinger: connection !== null,
  })
  if (!isRefused(taken)) dropEnvelopes({ bodies }, address, ids)
  return taken
}

/**
 * The exchange is over: what waits of it is not for its wallet any more. The envelopes go first, so that a crash in between
 * leaves nothing of them.
 */
export const dropMessagesOf = async (ports: Ports, address: string, exchange: string): Promise<void> => {
  const queue = await ports.actors.read(mailbox.ref(address), { view: 'queue' })
  if (!isRefused(queue))
    await dropMessages(
      ports,
      address,
      queue.messages.filter(({ of }) => of === exchange),
    )
}

const dropMessages = async (
  { actors, bodies, runtime }: Ports,
  address: string,
  messages: readonly QueuedMessage[],
): Promise<void> => {
  if (messages.length === 0) return
  const ids = messages.map(({ id }) => id)
  await Promise.all(ids.map((id) => bodies.delete(address, id)))
  const options = { commandId: `drop:${runtime.newId()}`, tenant: null }
  await actors.ask(mailbox.ref(address), { type: 'DropMessages', atMs: runtime.now(), ids }, options)
}

/** What cannot be deleted now ends with its time. */
export const dropEnvelopes = (
  { bodies }: Pick<Ports, 'bodies'>,
  address: string,
  ids: readonly string[],
): void => {
  for (const id of ids) bodies.delete(address, id).catch(() => undefined)
}
