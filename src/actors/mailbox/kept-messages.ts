import type { BodyReference } from '../../domain/body-reference.ts'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { BodyMissing, keepBody, openBody } from '../bodies.ts'
import type { MediatorPorts } from './mediator-ports.ts'
import { mailbox, type MailboxDoor, type QueuedMessage } from './state.ts'

type Ports = Pick<MediatorPorts, 'actors' | 'bodies' | 'vault' | 'runtime'>
type OpeningPorts = Ports & Pick<MediatorPorts, 'lost' | 'reportLost'>

/** A day longer than the message waits at most. */
const LIFE_MS = (limits.mailboxMessageDays + 1) * 86_400_000

/** Durable when it resolves. Throws `KeyGone` where the mailbox was removed. */
export const keepEnvelope = (ports: Ports, address: string, envelope: string): Promise<BodyReference> =>
  keepBody(ports, address, envelope, LIFE_MS)

export type OpenedMessage = QueuedMessage & { readonly envelope: string }

/**
 * The first of them with their envelopes, at most `countMax`, as many as fit into `bytesMax` together, and one at least. One
 * whose envelope is not there is left out; its sender has heard that it was taken, so it stays in the queue.
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
    const there = opened.filter((each): each is OpenedMessage => 'envelope' in each)
    if (there.length < opened.length)
      await noteLost(
        ports,
        address,
        opened.filter((each) => !('envelope' in each)),
      )
    if (there.length > 0) return there
    rest = rest.slice(fitting.length)
  }
  return []
}

const openMessage = async (
  ports: Ports,
  address: string,
  message: QueuedMessage,
): Promise<QueuedMessage | OpenedMessage> => {
  const envelope = await openBody(ports, address, message).catch((error: unknown) => {
    if (error instanceof BodyMissing) return null
    throw error
  })
  return envelope === null ? message : { ...message, envelope }
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

/** What cannot be deleted now ends with its time. */
export const dropEnvelopes = (
  { bodies }: Pick<Ports, 'bodies'>,
  address: string,
  ids: readonly string[],
): void => {
  for (const id of ids) bodies.delete(address, id).catch(() => undefined)
}
