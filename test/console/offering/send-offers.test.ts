import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import type { CredentialOfferJob } from '../../../console/src/api/generated/operations.ts'
import type { Answer, Problem } from '../../../console/src/api/problem.ts'
import type { OfferLine } from '../../../console/src/offering/offer-lines.ts'
import { sendOffers, type SentPart } from '../../../console/src/offering/send-offers.ts'

const offers = Array.from({ length: 2_500 }, (_, index): OfferLine => {
  const attributes = { name: `Ada ${index}`, expiresAt: '1900000000' }
  return {
    line: index + 2,
    offer: { connectionId: 'con_1', credentialDefinitionId: 'def_1', attributes },
    bytes: 90,
  }
})

const lost: Problem = { status: 0, error: 'no_answer', reason: '', retryAfterSeconds: null }
const tooFast: Problem = { status: 429, error: 'rate_limited', reason: 'Wait.', retryAfterSeconds: 7 }

/** A service that keeps what it was sent by its key, and answers some requests with a problem although it took them. */
class Service {
  readonly jobs = new Map<string, CredentialOfferJob>()
  readonly taken: string[] = []
  readonly waited: number[] = []
  readonly #troubles: Problem[]
  readonly #ended = new AbortController()

  constructor(...troubles: readonly Problem[]) {
    this.#troubles = [...troubles]
  }

  stop(): void {
    this.#ended.abort()
  }

  send(from: number, sent: SentPart[], onSent: () => void = () => undefined) {
    return sendOffers({ id: 'one', lastLine: from }, offers, {
      keyOf: (content) => Promise.resolve(createHash('sha256').update(content).digest('base64url')),
      post: ({ items }, key) =>
        Promise.resolve(
          this.#answer(
            items.map(({ idempotencyKey }) => idempotencyKey),
            key,
          ),
        ),
      wait: (ms) => Promise.resolve(void this.waited.push(ms)),
      onWait: () => {},
      onSent: (part) => {
        sent.push(part)
        onSent()
      },
      signal: this.#ended.signal,
    })
  }

  #answer(keys: readonly string[], key: string): Answer<CredentialOfferJob> {
    const trouble = this.#troubles.shift()
    if (trouble?.error === 'rate_limited') return { ok: false, problem: trouble }
    const at = '2026-11-27T12:00:00.000Z'
    const id = this.jobs.get(key)?.id ?? `coj_${this.jobs.size + 1}`
    if (!this.jobs.has(key)) this.taken.push(...keys)
    const job = {
      id,
      total: keys.length,
      offered: 0,
      refused: 0,
      status: 'running',
      createdAt: at,
      updatedAt: at,
    } as const
    this.jobs.set(key, job)
    return trouble === undefined ? { ok: true, body: job } : { ok: false, problem: trouble }
  }
}

it('a table goes to its end, part after part', async () => {
  const service = new Service()
  const sent: SentPart[] = []
  expect(await service.send(0, sent)).toBeNull()
  expect(sent).toEqual([
    { id: 'coj_1', offers: 1_000, firstLine: 2, lastLine: 1_001 },
    { id: 'coj_2', offers: 1_000, firstLine: 1_002, lastLine: 2_001 },
    { id: 'coj_3', offers: 500, firstLine: 2_002, lastLine: 2_501 },
  ])
  expect(new Set(service.taken).size).toBe(2_500)
})

it('one whose answer was lost goes on at its part, under the same keys, and is taken once', async () => {
  const service = new Service()
  const first: SentPart[] = []
  const losing = new Service(lost)
  expect(await losing.send(0, first)).toEqual({ problem: lost, firstLine: 2, lastLine: 1_001 })
  expect(first).toEqual([])
  const second: SentPart[] = []
  expect(await losing.send(0, second)).toBeNull()
  expect(second.map(({ id }) => id)).toEqual(['coj_1', 'coj_2', 'coj_3'])
  expect(losing.taken).toHaveLength(2_500)
  await service.send(0, [])
  expect(losing.taken).toEqual(service.taken)
})

it('a table goes on behind the last line that was taken', async () => {
  const sent: SentPart[] = []
  const service = new Service()
  expect(await service.send(2_001, sent)).toBeNull()
  expect(sent).toEqual([{ id: 'coj_1', offers: 500, firstLine: 2_002, lastLine: 2_501 }])
})

it('where the service takes no more it is asked again when it says so', async () => {
  const service = new Service(tooFast, tooFast)
  const sent: SentPart[] = []
  expect(await service.send(0, sent)).toBeNull()
  expect(service.waited).toEqual([7_000, 7_000])
  expect(sent).toHaveLength(3)
})

it('where it takes no more for long, somebody looks at why', async () => {
  const service = new Service(...Array.from({ length: 100 }, () => tooFast))
  expect(await service.send(0, [])).toMatchObject({ problem: tooFast, lastLine: 1_001 })
  expect(service.waited).toHaveLength(60)
})

it('a table that is stopped ends behind the part that is under way', async () => {
  const service = new Service()
  const sent: SentPart[] = []
  expect(await service.send(0, sent, () => service.stop())).toBeNull()
  expect(sent).toHaveLength(1)
  expect(service.jobs.size).toBe(1)
})
