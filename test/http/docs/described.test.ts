import { expect, it } from 'vitest'
import { operationsOf, slugOf } from '../../../src/http/docs/described.ts'
import { shownDocument } from './shown-document.ts'

it('the operations of a tag are found, those of events last', () => {
  const found = operationsOf(shownDocument, 'Webhooks').map(({ path, isWebhook }) => [path, isWebhook])
  expect(found[0]).toEqual(['/v1/webhook', false])
  expect(found.at(-1)).toEqual(['record.erased', true])
  expect(operationsOf(shownDocument, 'Nothing')).toEqual([])
})

it('a tag has an address', () => {
  expect(slugOf('Proof templates')).toBe('proof-templates')
})
