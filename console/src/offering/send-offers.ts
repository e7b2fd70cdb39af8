import type { CredentialOfferJob, OfferCredentialsBody } from '../api/generated/operations.ts'
import type { Answer, Problem } from '../api/problem.ts'
import type { OfferLine } from './offer-lines.ts'
import { partsOf } from './offer-parts.ts'

/** A table on its way, as far as it was taken. It says nothing of what stands in the table. */
export type Sending = {
  readonly id: string
  /** Of the content of the table: whether the one that is chosen later is the same. */
  readonly fingerprint: string
  readonly name: string
  readonly total: number
  /** The line of the last offer that was taken. */
  readonly lastLine: number
  readonly jobs: readonly SentPart[]
}

/** A request that was taken. */
export type SentPart = {
  readonly id: string
  readonly offers: number
  readonly firstLine: number
  readonly lastLine: number
}

type Body = OfferCredentialsBody

type SendPorts = {
  readonly keyOf: (content: string) => Promise<string>
  readonly post: (body: Body, key: string) => Promise<Answer<CredentialOfferJob>>
  readonly wait: (ms: number) => Promise<void>
  readonly onWait: (seconds: number) => void
  readonly onSent: (part: SentPart) => void
  readonly signal: AbortSignal
}

export type Interrupted = { readonly problem: Problem; readonly firstLine: number; readonly lastLine: number }

/** After so many refusals in a row somebody has to look at why. */
const WAITS_MAX = 60
const WAIT_SECONDS_MAX = 120

export const sentOf = ({ jobs }: Pick<Sending, 'jobs'>): number =>
  jobs.reduce((sum, { offers }) => sum + offers, 0)

/**
 * Sends what was not taken yet, a part after the other, and answers why it did not come to the end. A part whose answer
 * was lost goes under the same key when it is sent again, and gets the same job.
 */
export const sendOffers = async (
  { id, lastLine: sentTo }: Pick<Sending, 'id' | 'lastLine'>,
  offers: readonly OfferLine[],
  ports: SendPorts,
): Promise<Interrupted | null> => {
  for (const part of partsOf(offers.filter(({ line }) => line > sentTo))) {
    const items = await Promise.all(part.map(async ({ offer }) => keyed(offer, ports)))
    const key = await ports.keyOf(JSON.stringify([id, items.map(({ idempotencyKey }) => idempotencyKey)]))
    const answer = await whenTaken({ items }, key, ports)
    const [firstLine = 0, lastLine = 0] = [part.at(0)?.line, part.at(-1)?.line]
    if (answer.ok) ports.onSent({ id: answer.body.id, offers: part.length, firstLine, lastLine })
    if (ports.signal.aborted) return null
    if (!answer.ok) return { problem: answer.problem, firstLine, lastLine }
  }
  return null
}

const keyed = async (offer: OfferLine['offer'], { keyOf }: SendPorts): Promise<Body['items'][number]> => ({
  idempotencyKey: await keyOf(JSON.stringify(offer)),
  ...offer,
})

/** The service says when it takes more; nothing else is tried again without the person. */
const whenTaken = async (body: Body, key: string, ports: SendPorts): Promise<Answer<CredentialOfferJob>> => {
  for (let waits = 0; ; waits += 1) {
    const answer = await ports.post(body, key)
    const seconds = answer.ok ? null : answer.problem.retryAfterSeconds
    if (seconds === null || waits === WAITS_MAX || ports.signal.aborted) return answer
    const waited = Math.min(Math.max(seconds, 1), WAIT_SECONDS_MAX)
    ports.onWait(waited)
    await ports.wait(waited * 1_000)
    if (ports.signal.aborted) return answer
  }
}
