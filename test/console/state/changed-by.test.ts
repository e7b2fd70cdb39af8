import { describe, expect, it } from 'vitest'
import { changedBy } from '../../../console/src/state/changed-by.ts'

const issued = { type: 'credential.state_changed', recordId: 'cre_1' }
const erased = { type: 'record.erased', recordId: 'cre_1' }
const test = { type: 'webhook.test', recordId: 'whe_1' }

describe('what an event changes', () => {
  it('is the list of its records, and the record itself', () => {
    const list = changedBy('listCredentials', { query: { page: 2 } })
    expect([issued, erased, test].map((event) => list?.(event))).toEqual([true, true, false])
    const record = changedBy('getCredential', { path: { id: 'cre_1' } })
    expect(record?.(issued)).toBe(true)
    const other = changedBy('getCredentialTimeline', { path: { id: 'cre_2' } })
    expect(other?.(issued)).toBe(false)
  })

  it('is the list of deliveries with every event', () => {
    const deliveries = changedBy('listWebhookDeliveries', {})
    expect([issued, erased, test].map((event) => deliveries?.(event))).toEqual([true, true, true])
  })

  it('is nothing of what is set up', () => {
    expect(changedBy('listSchemas', {})).toBeNull()
    expect(changedBy('getWebhookDelivery', { path: { id: 'whd_1' } })).toBeNull()
  })
})
