import { describe, expect, it } from 'vitest'
import {
  type Looked,
  whatIsWrongWithKey,
  whatIsWrongWithRecord,
} from '../../../../tools/campaign/cluster/taken-back-judgement.ts'

const NAME = 'Canary of a person 1'
const looked = (status: number, text = ''): Looked => ({ status, text })
const shown = (attributes: object | null): string => JSON.stringify({ id: 'cre_1', attributes })

describe('after a revocation a node', () => {
  it('refuses the key, or says that it cannot know', () => {
    for (const each of [null, looked(401), looked(503)]) expect(whatIsWrongWithKey(each, 'k')).toBeNull()
  })

  it('is wrong where the key opens anything, or the answer has no meaning', () => {
    expect(whatIsWrongWithKey(looked(200, '{}'), 'key 1')).toBe('key 1 was revoked, and was answered 200: {}')
    expect(whatIsWrongWithKey(looked(500), 'key 1')).not.toBeNull()
  })
})

describe('after an erasure a node', () => {
  it('shows the record without what was in it, or says that it cannot know', () => {
    const right = [null, looked(503), looked(409), looked(200, shown(null)), looked(202, shown(null))]
    for (const each of right) expect(whatIsWrongWithRecord(each, NAME, 'r')).toBeNull()
  })

  it('is wrong where it shows the name anywhere, or something else instead', () => {
    const wrong = [
      looked(200, shown({ name: NAME })),
      looked(200, shown({})),
      looked(503, NAME),
      looked(404),
      looked(200, shown(null) + NAME),
    ]
    for (const each of wrong) expect(whatIsWrongWithRecord(each, NAME, 'the record')).toMatch(/was erased/)
  })
})
