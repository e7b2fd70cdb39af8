import { type Json, listOf } from '../../didcomm/json.ts'
import { ed25519KeyOf } from '../../didcomm/keys.ts'
import { answerTo, composeMessage, isType, type Message } from '../../didcomm/message.ts'
import { isRefused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { PREFIX } from '../../domain/message-prefix.ts'
import type { MediatorSession } from '../../ports/mediator.ts'
import { type OpenedMessage, openMessages, takeMessages, waitingAmong } from './kept-messages.ts'
import type { MediatorPorts } from './mediator-ports.ts'
import { tallyOf, tooFast } from './rules.ts'
import { mailbox, type MailboxDoor, type QueuedMessage, type Tally } from './state.ts'
import { type Answers, problemWith, textOf, TOO_FAST } from './wallet-message.ts'

const PROTOCOL = 'messagepickup/2.0'

/** Messages in one delivery; in an envelope they take twice their size. */
const DELIVERED_MAX = 50
const DELIVERED_BYTES_MAX = 1_048_576

type Ports = Pick<MediatorPorts, 'actors' | 'runtime' | 'vault' | 'bodies' | 'lost' | 'reportLost'>

/** A mailbox, and what was seen of it when the message was opened. */
type Seen = { readonly address: string; readonly door: MailboxDoor }

/** Pickup 2.0 (RFC 0685) with a wallet that is connected. Messages go when they are acknowledged, and by nothing else. */
export const pickUp = async (
  ports: Ports,
  seen: Seen,
  message: Message,
  session: MediatorSession,
): Promise<Answers> => {
  const { address } = seen
  if (isType(message, PROTOCOL, 'status-request')) return [await status(ports, seen, message, session)]
  if (isType(message, PROTOCOL, 'delivery-request')) return [await deliver(ports, seen, message, session)]
  if (isType(message, PROTOCOL, 'messages-received')) {
    const ids = seen.door.waiting.count === 0 ? [] : await waitingAmong(ports, address, idsIn(message))
    const left = ids.length === 0 ? seen.door : await takeMessages(ports, address, ids)
    if (isRefused(left) && left.refused === tooFast.refused) return TOO_FAST
    return [await status(ports, { address, door: isRefused(left) ? seen.door : left }, message, session)]
  }
  if (!isLiveChange(message)) return null
  const isLive = wantsLive(message)
  if (isLive && !session.isSocket) return [noLiveMode(message)]
  session.push(address, isLive ? 'live' : null)
  return [await status(ports, seen, message, session)]
}

const isLiveChange = (message: Message): boolean => isType(message, PROTOCOL, 'live-delivery-change')
const wantsLive = ({ body }: Message): boolean => body['live_delivery'] === true

export const asksForLive = (message: Message, { isSocket }: MediatorSession): boolean =>
  isSocket && isLiveChange(message) && wantsLive(message)

/**
 * In live mode everything that waits is on its way, so nothing is there that the wallet would have to ask for; where it read
 * another number, it would ask, and have each message twice.
 */
const status = async (
  ports: Ports,
  seen: Seen,
  message: Message,
  { mode }: MediatorSession,
): Promise<string> => {
  const named = recipientIn(message)
  const isLive = mode === 'live'
  const tally = isLive ? tallyOf([]) : await tallyFor(ports, seen, named)
  return answerTo(message, 'status', {
    ...recipientField(named),
    message_count: tally.count,
    total_bytes: tally.bytes,
    live_delivery: isLive,
    ...timesOf(tally, ports.runtime.now()),
  })
}

const tallyFor = async (ports: Ports, { address, door }: Seen, named: string | null): Promise<Tally> =>
  named === null && !ports.lost.areIn(address)
    ? door.waiting
    : tallyOf(ports.lost.without(address, await queueFor(ports, address, named)))

const timesOf = ({ oldestAtMs, newestAtMs }: Tally, nowMs: number): Json =>
  oldestAtMs === null || newestAtMs === null
    ? {}
    : {
        longest_waited_seconds: Math.max(0, Math.round((nowMs - oldestAtMs) / 1_000)),
        oldest_received_time: timeOf(oldestAtMs),
        newest_received_time: timeOf(newestAtMs),
      }

/** What waits, or what of it waits for one key of the wallet. A key that is none of its own has nothing waiting. */
const queueFor = async (
  { actors }: Pick<Ports, 'actors'>,
  address: string,
  named: string | null,
): Promise<readonly QueuedMessage[]> => {
  const ref = mailbox.ref(address)
  const queue = await actors.read(ref, { view: 'queue' })
  if (isRefused(queue)) return []
  if (named === null) return queue.messages
  const keys = await actors.read(ref, { view: 'keys' })
  const key = ed25519KeyOf(named)
  const index = isRefused(keys) ? -1 : keys.findIndex((each) => each.key === key)
  return queue.messages.filter(({ to }) => to === index)
}

const deliver = async (
  ports: Ports,
  seen: Seen,
  message: Message,
  session: MediatorSession,
): Promise<string> => {
  const { address, door } = seen
  const named = recipientIn(message)
  const wanted = message.body['limit']
  const limit = typeof wanted === 'number' && wanted >= 1 ? Math.min(Math.floor(wanted), DELIVERED_MAX) : 1
  const queue = door.waiting.count === 0 ? [] : await queueFor(ports, address, named)
  const most = { countMax: limit, bytesMax: DELIVERED_BYTES_MAX }
  const opened = await openMessages(ports, address, queue, most)
  if (opened.length === 0)
    return status(ports, { address, door: { ...door, waiting: tallyOf([]) } }, message, session)
  return answerTo(message, 'delivery', {
    ...recipientField(named),
    '~attach': opened.map(attachment),
  })
}

/** What a live session is sent without having asked. */
export const liveDelivery = (message: OpenedMessage): string =>
  composeMessage({
    id: `${message.id}.delivery`,
    prefix: PREFIX,
    type: `${PROTOCOL}/delivery`,
    '~attach': [attachment(message)],
  })

const attachment = ({ id, envelope, atMs }: OpenedMessage): Json => ({
  '@id': id,
  lastmod_time: timeOf(atMs),
  data: { base64: Buffer.from(envelope).toString('base64') },
})

const timeOf = (ms: number): string => new Date(ms).toISOString()

const idsIn = ({ body }: Message): readonly string[] =>
  listOf(body['message_id_list'])
    .slice(0, limits.mailboxMessagesMax)
    .filter((id): id is string => typeof id === 'string')

const recipientIn = ({ body }: Message): string | null => textOf(body['recipient_key'])

const recipientField = (named: string | null): Json => (named === null ? {} : { recipient_key: named })

/** As RFC 0685 writes it; the wallet goes on asking. */
const noLiveMode = (message: Message): string =>
  problemWith(message, 'e.m.live-mode-not-supported', 'Connection does not support Live Delivery')
