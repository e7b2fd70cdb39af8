import { describe, expect, it } from 'vitest'
import { operationsOf } from '../../../src/http/docs/described.ts'
import { operationView } from '../../../src/http/docs/operation-view.ts'
import { shownDocument } from './shown-document.ts'

const viewOf = (tag: string, operationId: string): string => {
  const placed = operationsOf(shownDocument, tag).find((each) => each.operation.operationId === operationId)
  if (placed === undefined) throw new Error(`no ${operationId}`)
  return operationView(placed, shownDocument).text
}

describe('an operation', () => {
  const offer = viewOf('Credentials', 'offerCredential')

  it('shows its body, its answer, every error and where one goes from there', () => {
    for (const field of ['connectionId', 'attributes', 'referenceImage', 'erasedAt'])
      expect(offer, field).toContain(`<code>${field}</code>`)
    for (const code of ['connection_not_ready', 'attributes_mismatch', 'rate_limited', 'internal'])
      expect(offer, code).toContain(`href="/docs/errors#${code}"`)
    expect(offer).toContain('Shows a credential exchange, by <code>id</code>.')
  })

  it('has a request to copy, with key, repetition and body', () => {
    expect(offer).toContain('curl -X POST &quot;$BASE_URL/v1/credentials/offer&quot;')
    expect(offer).toContain('Authorization: Bearer $API_KEY')
    expect(offer).toContain('Idempotency-Key: ')
    expect(offer).toContain('&quot;birthdate&quot;: &quot;19901210&quot;')
  })

  it('of the console is asked for with a session, and by id with an example of one', () => {
    const archive = viewOf('Proof templates', 'archiveProofTemplate')
    expect(archive).toContain('-b &quot;__Host-vouchsafe=$SESSION&quot;')
    expect(archive).toMatch(/\/v1\/proof-templates\/tpl_\w+\/archive/)
  })

  it('that needs no credential shows none', () => {
    expect(viewOf('Service', 'getHealth')).not.toMatch(/Bearer|SESSION/)
  })
})

it('an event shows what is posted and what to answer', () => {
  const event = viewOf('Webhooks', 'receiveProofStateChanged')
  expect(event).toContain('What is posted')
  expect(event).toContain('2XX')
  expect(event).not.toContain('curl')
})
