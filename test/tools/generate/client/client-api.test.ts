import { describe, expect, it } from 'vitest'
import { apiDocument } from '../../../../tools/described-api.ts'
import { clientApi } from '../../../../tools/generate/client/client-api.ts'

const description = apiDocument()
const text = clientApi(description)
const operations = Object.values(description.paths).flatMap((item) => Object.values(item))

describe('the generated client', () => {
  it('has a method for every operation of an API key but its stream, and for no other', () => {
    for (const { operationId, security, responses } of operations) {
      const isStream = 'text/event-stream' in (responses['200']?.content ?? {})
      const isOwn = security.some((scheme) => 'apiKey' in scheme) && !isStream
      expect(text.includes(`  ${operationId}(`), operationId).toBe(isOwn)
    }
  })

  it('goes through every list', () => {
    const lists = operations.filter(
      ({ operationId, security }) =>
        operationId.startsWith('list') && security.some((scheme) => 'apiKey' in scheme),
    )
    expect(lists.length).toBeGreaterThan(5)
    for (const { operationId } of lists)
      expect(text, operationId).toMatch(
        new RegExp(`eachOf\\(\\(asked: \\w+Query\\) => this\\.${operationId}\\(`),
      )
  })

  it('asks for the key where an operation cannot do without', () => {
    expect(text).toContain('createWallet(body: CreateWalletBody, options: KeyedCallOptions)')
    expect(text).toContain('offerCredential(body: OfferCredentialBody, options?: WriteOptions)')
    expect(text).toContain('getWallet(id: string, options?: CallOptions)')
  })

  it('knows every event and every code', () => {
    expect(text).toMatch(/export type WebhookEvent =\n {2}\| ConnectionStateChanged\n/)
    expect(text).toContain("  | 'rate_limited'\n")
  })
})
