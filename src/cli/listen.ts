import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Environment } from '../config/config.ts'
import { Outbound } from '../egress/outbound.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import { SignedSender } from '../webhooks/sender.ts'
import { action } from './action.ts'
import { type AccessOptions, type ApiAccess, apiAccess, withApiAccess } from './api-access.ts'
import { firstSignal } from './first-signal.ts'
import { type Attempted, Forwarder } from './listen/forwarder.ts'
import type { HeardEvent } from './listen/heard.ts'
import { hear, type HearingOptions } from './listen/hear.ts'
import { ListeningText } from './listen/listening-text.ts'
import { listenSecret, usualSecretFile } from './listen/listen-secret.ts'
import { Place } from './listen/place.ts'
import { EGRESS, receiver, refuseInClear } from './listen/receiver.ts'
import { SeenEvents } from './listen/seen-events.ts'
import { listed, type Output } from './output.ts'

type Options = AccessOptions & {
  readonly forward?: string
  readonly events?: readonly string[]
  readonly after?: string
  readonly secretFile?: string
}

/** What is under way at the end may take so long. */
const GRACE_MS = 2_000

/** An organisation's events on the machine of a developer, where no webhook can get. */
export const registerListen = (
  program: Command,
  environment: Environment,
  eventTypes: readonly string[],
): void => {
  const listening = program
    .command('listen')
    .description("show an organisation's events as they happen, and post them to a receiver on this machine")
    .option('--forward <url>', 'post each event there, such as http://localhost:3000/hook', receiver)
    .addOption(
      new Option('--events <types>', 'comma-separated event types; all without it')
        .choices(eventTypes)
        .argParser(typesAmong(eventTypes)),
    )
    .option('--after <event>', 'go on behind this event, as far as the stream reaches: a minute', eventId)
    .option(
      '--secret-file <file>',
      'secret of what is posted; made where there is none (~/.config/vouchsafe/listen-secret)',
    )
  withApiAccess(listening).action(
    action(async ({ forward, events, after, secretFile, ...given }: Options, output) => {
      const access = apiAccess(environment, given)
      if (forward !== undefined) await refuseInClear(forward)
      const file = secretFile ?? usualSecretFile(environment)
      const secret = forward === undefined ? null : listenSecret(file)
      const stopping = new AbortController()
      void firstSignal().then(() => stopping.abort())
      // Nobody reads on, as in `vouchsafe listen | head -1`.
      for (const written of [process.stdout, process.stderr]) written.on('error', () => stopping.abort())
      if (forward !== undefined) output.note(`Posting to ${forward}, signed with the secret in ${file}.`)
      const receiving = forward === undefined || secret === null ? null : { url: forward, secret }
      const { signal } = stopping
      await listen({ access, receiving, events: events ?? null, after: after ?? null, signal }, output)
    }),
  )
}

export type Listening = Pick<HearingOptions, 'after' | 'signal' | 'patience'> & {
  readonly access: ApiAccess
  /** Null: events are shown, and posted nowhere. */
  readonly receiving: { readonly url: string; readonly secret: string } | null
  /** Null: all types. */
  readonly events: readonly string[] | null
}

/** Until the signal is aborted; throws one sentence where the service never lets this listener in again. */
export const listen = async (listening: Listening, output: Output): Promise<void> => {
  const { receiving, after, signal } = listening
  const text = new ListeningText(output)
  const place = new Place(after)
  const outbound = new Outbound(EGRESS)
  const sender = new SignedSender(outbound, () => Date.now())
  const forwarder = forwarderTo(sender, receiving, (attempted) => {
    text.attempted(attempted)
    if (attempted.againMs === null) place.settle(attempted.event.id)
  })
  // Whoever waits for room in it would hear of the end too late.
  signal.addEventListener('abort', () => forwarder?.stop(), { once: true })
  try {
    await forwarded(listening, { forwarder, text, place })
  } finally {
    await forwarder?.end(GRACE_MS)
    farewell(output, place, forwarder?.waiting ?? 0)
    outbound[Symbol.dispose]()
  }
}

type Parts = { readonly forwarder: Forwarder | null; readonly text: ListeningText; readonly place: Place }

const forwarded = async (
  { access, events, ...options }: Listening,
  { forwarder, text, place }: Parts,
): Promise<void> => {
  const seen = new SeenEvents()
  for await (const noticed of hear(access, options)) {
    if (options.signal.aborted) return
    if (noticed.is !== 'event') {
      text.stream(noticed)
      continue
    }
    const { id, type, isSynthetic } = noticed
    if (!seen.add(id)) continue
    if (!isSynthetic) place.begin(id)
    const isWanted = events === null || events.includes(type)
    if (isWanted && forwarder !== null) {
      await forwarder.take(noticed)
      continue
    }
    if (isWanted) text.heard(noticed)
    place.settle(id)
  }
}

const forwarderTo = (
  sender: WebhookSender,
  receiving: Listening['receiving'],
  told: (attempted: Attempted) => void,
): Forwarder | null => {
  if (receiving === null) return null
  const { url, secret } = receiving
  const send = (event: HeardEvent, attempt: number, signal: AbortSignal) => {
    const { id: eventId, type: eventType, body } = event
    return sender.send({ url, body, secrets: [secret], eventId, eventType, attempt }, signal)
  }
  return new Forwarder({ send, told })
}

const farewell = (output: Output, { last }: Place, waiting: number): void => {
  if (waiting > 0) output.note(`${waiting} ${waiting === 1 ? 'event was' : 'events were'} not taken yet.`)
  if (last !== null) output.note(`Within a minute the same command goes on with --after ${last}`)
}

const eventId = (text: string): string => {
  if (/^evt_\w{1,250}$/.test(text)) return text
  throw new InvalidArgumentError('That is no id of an event, such as evt_con_5f…_3.')
}

const typesAmong =
  (known: readonly string[]) =>
  (text: string): readonly string[] => {
    const wanted = listed(text)
    const unknown = wanted.find((type) => !known.includes(type))
    if (unknown === undefined) return wanted
    throw new InvalidArgumentError(`There is no type ${unknown}; there are ${known.join(', ')}.`)
  }
