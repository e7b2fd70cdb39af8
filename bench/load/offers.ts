// A tenant's backend that offers one credential over each connection: by requests for one, or by requests for many.
import { randomUUID } from 'node:crypto'
import { postJson } from './post.ts'

type Definition = {
  readonly definitionId: string
  readonly attributes: Readonly<Record<string, string>>
}

const WAIT_MS = 120_000
const LOOK_EVERY_MS = 50

const service = { url: '', key: '' }

export function meet(url: string, key: string): void {
  Object.assign(service, { url, key })
}

/** Each under a key of its own, so many under way at a time; resolves when the last is `offer-sent`. */
export async function alone(
  connections: readonly string[],
  { definitionId: credentialDefinitionId, attributes }: Definition,
  atOnce: number,
): Promise<void> {
  const left = connections.values()
  const worker = async (): Promise<void> => {
    for (const connectionId of left) {
      const offer = { connectionId, credentialDefinitionId, attributes }
      const { state } = await post('/v1/credentials/offer', offer, randomUUID())
      if (state !== 'offer-sent') throw new Error(`the exchange is ${String(state)}`)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

/** So many in a request, one request after the other; resolves when the last of their jobs has offered all of them. */
export async function together(
  connections: readonly string[],
  { definitionId: credentialDefinitionId, attributes }: Definition,
  perRequest: number,
): Promise<void> {
  for (let at = 0; at < connections.length; at += perRequest) {
    const items = connections.slice(at, at + perRequest).map((connectionId) => ({
      idempotencyKey: randomUUID(),
      connectionId,
      credentialDefinitionId,
      attributes,
    }))
    const { id } = await post('/v1/credentials/offers', { items }, randomUUID())
    await finished(String(id), items.length)
  }
}

const finished = async (id: string, count: number): Promise<void> => {
  const endMs = performance.now() + WAIT_MS
  while (performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
    const answer = await fetch(`${service.url}/v1/credential-offer-jobs/${id}`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
    const job = (await answer.json()) as Readonly<Record<string, unknown>>
    if (job['status'] !== 'finished') continue
    if (job['offered'] !== count) throw new Error(`not all was offered: ${JSON.stringify(job)}`)
    return
  }
  throw new Error(`${id} did not finish`)
}

const post = async (
  path: string,
  body: unknown,
  idempotencyKey: string,
): Promise<Readonly<Record<string, unknown>>> => {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${service.key}`,
    'Idempotency-Key': idempotencyKey,
  }
  const { status, text } = await postJson(`${service.url}${path}`, headers, JSON.stringify(body))
  if (status !== 202) throw new Error(`${path} was answered ${status}: ${text}`)
  return JSON.parse(text) as Readonly<Record<string, unknown>>
}
