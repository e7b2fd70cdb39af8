import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Environment } from '../config/config.ts'
import { EgressRefused } from '../egress/failures.ts'
import { Outbound } from '../egress/outbound.ts'
import { targetOf } from '../egress/target.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import { SignedSender } from '../webhooks/sender.ts'
import { action } from './action.ts'
import { type AccessOptions, type ApiAccess, apiAccess, withApiAccess } from './api-access.ts'
import { firstSignal } from './first-signal.ts'
import { Forwarder } from './listen/forwarder.ts'
import type { HeardEvent } from './listen/heard.ts'
import { hear, type HearingOptions } from './listen/hear.ts'
import { ListeningText } from './listen/listening-text.ts'
import { listenSecret, usualSecretFile } from './listen/listen-secret.ts'
import { SeenEvents } from './listen/seen-events.ts'
import { listed, type Output } from './output.ts'

type Options = AccessOptions & {
  readonly forward?: string
  readonly events?: readonly string[]
  readonly after?: string
  readonly secretFile?: string
}

/** This machine and its own network: that is what a developer's receiver is in. */
const EGRESS = { allowPrivateTargets: true, socketsPerHostMax: 4 }
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
      const stopping = new AbortController()
      const access = apiAccess(environment, given)
      const file = secretFile ?? usualSecretFile(environment)
      const secret = forward === undefined ? null : listenSecret(file)
      void firstSignal().then(() => stopping.abort())
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
  const text = new ListeningText(output)
  const outbound = new Outbound(EGRESS)
  const sender = new SignedSender(outbound, () => Date.now())
  const forwarder = forwarderTo(sender, listening.receiving, text)
  try {
    const last = await forwarded(listening, forwarder, text)
    await forwarder?.end(GRACE_MS)
    farewell(output, last, forwarder?.waiting ?? 0)
  } finally {
    await forwarder?.end(0)
    outbound[Symbol.dispose]()
  }
}

/** Answers with the last event that has happened. */
const forwarded = async (
  { access, events, ...options }: Listening,
  forwarder: Forwarder | null,
  text: ListeningText,
): Promise<string | null> => {
  const seen = new SeenEvents()
  let last: string | null = null
  for await (const noticed of hear(access, options)) {
    if (noticed.is !== 'event') {
      text.stream(noticed)
      continue
    }
    if (!seen.add(noticed.id)) continue
    if (!noticed.isSynthetic) last = noticed.id
    if (events !== null && !events.includes(noticed.type)) continue
    if (forwarder === null) text.heard(noticed)
    else await forwarder.take(noticed)
  }
  return last
}

const forwarderTo = (
  sender: WebhookSender,
  receiving: Listening['receiving'],
  text: ListeningText,
): Forwarder | null => {
  if (receiving === null) return null
  const { url, secret } = receiving
  const send = (event: HeardEvent, attempt: number, signal: AbortSignal) => {
    const { id: eventId, type: eventType, body } = event
    return sender.send({ url, body, secrets: [secret], eventId, eventType, attempt }, signal)
  }
  return new Forwarder({ send, told: (attempted) => text.attempted(attempted) })
}

const farewell = (output: Output, last: string | null, waiting: number): void => {
  if (waiting > 0) output.note(`${waiting} ${waiting === 1 ? 'event was' : 'events were'} not taken yet.`)
  if (last !== null) output.note(`To go on within a minute: vouchsafe listen --after ${last}`)
}

const receiver = (text: string): string => {
  if (!/^https?:\/\//i.test(text))
    throw new InvalidArgumentError(
      'It must begin with http:// or https://, such as http://localhost:3000/hook.',
    )
  try {
    return targetOf(text, EGRESS).href
  } catch (error) {
    if (error instanceof EgressRefused)
      throw new InvalidArgumentError(`It cannot be posted to: ${error.message}.`)
    throw error
  }
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
