// A tenant's backend: calls the API over keep-alive connections and hears of the outcome by webhook, as its docs advise.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HeardEvents, type WebhookBody } from './heard-events.ts'
import { postJson } from './post.ts'

export type Invited = { readonly externalId: string; readonly url: string }

const WAIT_MS = 180_000
/** A service that is overloaded is asked again. */
const AGAIN_MS = 200

const service = { url: '', key: '', secret: '' }
const heard = new HeardEvents()
let invitations = 0

/** Starts the endpoint for webhooks; answers with its URL. */
export async function listen(): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      if (!isGenuine(String(request.headers['x-svc-signature']), body)) heard.refused += 1
      else heard.add(JSON.parse(body) as WebhookBody)
      response.writeHead(204).end()
    })
  })
  server.keepAliveTimeout = 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
}

export function meet(url: string, key: string, secret: string): void {
  Object.assign(service, { url, key, secret })
}

export async function get(path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.url}${path}`, {
    headers: { Authorization: `Bearer ${service.key}` },
  })
  return (await response.json()) as Record<string, unknown>
}

export function invite(count: number, atOnce: number): Promise<Invited[]> {
  return inParallel(count, atOnce, async () => {
    const externalId = `holder-${++invitations}`
    const made = await post('/v1/connections/invitations', { externalId })
    return { externalId, url: String(made['invitationUrl']) }
  })
}

/** An invitation that lets in as many holders as come. */
export async function inviteMany(): Promise<{ readonly invitationId: string; readonly url: string }> {
  const made = await post('/v1/connections/invitations', { multiUse: true })
  return { invitationId: String(made['invitationId']), url: String(made['invitationUrl']) }
}

/** The connections that came of the invitations, after every event of theirs was heard. */
export function connected(externalIds: readonly string[]): Promise<string[]> {
  return Promise.all(
    externalIds.map(async (externalId) => {
      const id = await heard.connectionOf(externalId, WAIT_MS)
      await heard.ended(id, 'completed', WAIT_MS)
      return id
    }),
  )
}

export type Offered = {
  readonly definitionId: string
  readonly attributes: Readonly<Record<string, string>>
  readonly referenceImage?: string | null
}

/** One credential over each connection, so many under way at a time; resolves when all events of all were heard. */
export async function issue(
  connections: readonly string[],
  definition: Offered,
  atOnce: number,
): Promise<void> {
  await inParallel(connections.length, atOnce, async (index) => {
    await heard.ended(await offerOver(connections[index], definition), 'done', WAIT_MS)
  })
}

/** Only begins them, so many requests at a time; answers with their ids. */
export function offer(
  connections: readonly string[],
  definition: Offered,
  atOnce: number,
): Promise<string[]> {
  return inParallel(connections.length, atOnce, (index) => offerOver(connections[index], definition))
}

/** Resolves when all events of all these exchanges were heard, of whatever kind they are. */
export async function ended(ids: readonly string[]): Promise<void> {
  await Promise.all(ids.map((id) => heard.ended(id, 'done', WAIT_MS)))
}

export type Pace = {
  /** Begun in a second; infinite: as many as fit. */
  readonly perS: number
  readonly atOnce: number
  readonly durationMs: number
  /** What counts as its end: the answer to the offer, or every event of the issuance. */
  readonly until?: 'accepted' | 'done'
}

/**
 * Credentials over connections in turn for a while, at a pace that does not wait for the service: what is late is begun
 * as soon as there is room. Counted are those that were done, all their events heard, within the time.
 */
export async function issueFor(
  connections: readonly string[],
  definition: Offered,
  { perS, atOnce, durationMs, until = 'done' }: Pace,
): Promise<{ readonly perS: number; readonly p50Ms: number; readonly p99Ms: number; readonly done: number }> {
  const startedMs = performance.now()
  const tookMs: number[] = []
  let begun = 0
  let doneInTime = 0
  const worker = async (): Promise<void> => {
    for (;;) {
      const dueMs = startedMs + (begun * 1_000) / perS
      const waitMs = dueMs - performance.now()
      if (Math.max(dueMs, performance.now()) - startedMs >= durationMs) return
      const connectionId = connections[begun++ % connections.length]
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
      const id = await offerOver(connectionId, definition)
      if (until === 'done') await heard.ended(id, 'done', WAIT_MS)
      const nowMs = performance.now()
      tookMs.push(nowMs - Math.min(nowMs, dueMs))
      if (nowMs - startedMs <= durationMs) doneInTime += 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  const sorted = tookMs.toSorted((left, right) => left - right)
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
  return { perS: (doneInTime * 1_000) / durationMs, p50Ms: at(0.5), p99Ms: at(0.99), done: sorted.length }
}

/** One verified proof over each connection. */
export async function verify(
  connections: readonly string[],
  templateId: string,
  atOnce: number,
): Promise<void> {
  await inParallel(connections.length, atOnce, async (index) => {
    const id = await askOver(connections[index], templateId)
    const last = await heard.ended(id, 'done', WAIT_MS)
    if (last['verified'] !== true) throw new Error(`${id} was not verified`)
  })
}

/** Only begins them, so many requests at a time; answers with their ids. */
export function askForProofs(
  connections: readonly string[],
  templateId: string,
  atOnce: number,
): Promise<string[]> {
  return inParallel(connections.length, atOnce, (index) => askOver(connections[index], templateId))
}

/** Forgets what it heard, so that its own memory stays small. */
export function tally(): { events: number; refused: number } {
  const counts = { events: heard.count, refused: heard.refused }
  heard.clear()
  return counts
}

const offerOver = async (
  connectionId: string | undefined,
  { definitionId, attributes, referenceImage = null }: Offered,
): Promise<string> => {
  const biometric = referenceImage === null ? {} : { biometric: { referenceImage } }
  const offered = { connectionId, credentialDefinitionId: definitionId, attributes, ...biometric }
  const { id } = await post('/v1/credentials/offer', offered)
  return String(id)
}

const askOver = async (connectionId: string | undefined, proofTemplateId: string): Promise<string> => {
  const { id } = await post('/v1/proofs/request', { connectionId, proofTemplateId })
  return String(id)
}

const post = async (path: string, body: Record<string, unknown>): Promise<Record<string, unknown>> => {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${service.key}` }
  const endMs = performance.now() + WAIT_MS
  for (;;) {
    const { status, text } = await postJson(`${service.url}${path}`, headers, JSON.stringify(body))
    if (status >= 200 && status <= 299) return JSON.parse(text) as Record<string, unknown>
    if (status !== 503 || performance.now() > endMs)
      throw new Error(`${path} was answered ${status}: ${text}`)
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

const inParallel = async <Result>(
  count: number,
  atOnce: number,
  work: (index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) results[index] = await work(index)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker))
  return results
}

const isGenuine = (header: string, body: string): boolean => {
  const [, seconds, signature] = /^t=(\d+),v1=([0-9a-f]{64})/.exec(header) ?? []
  if (seconds === undefined || signature === undefined) return false
  const expected = createHmac('sha256', service.secret).update(`${seconds}.${body}`).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}
