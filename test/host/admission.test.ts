import { describe, expect, it } from 'vitest'
import { Admission } from '../../src/host/admission.ts'

const newAdmission = () => new Admission({ actorQueueMax: 3, shardQueueMax: 10, tenantSharePercent: 40 })

describe('admission', () => {
  it('has a bound for each actor', () => {
    expect(newAdmission().admit(null, 2)).toBeNull()
    expect(newAdmission().admit(null, 3)).toBe('actor-full')
  })

  it('leaves room beside one busy tenant', () => {
    const admission = newAdmission()
    const taken = Array.from({ length: 6 }, () => admission.admit('busy', 0))
    expect(taken).toEqual([null, null, null, null, 'tenant-full', 'tenant-full'])
    expect(admission.admit('other', 0)).toBeNull()
  })

  it('has a bound for the shard, and room again when one is answered', () => {
    const admission = newAdmission()
    for (let index = 0; index < 10; index++) admission.admit(null, 0)
    expect(admission.admit(null, 0)).toBe('shard-full')
    admission.release(null)
    expect(admission.admit('tenant', 0)).toBeNull()
    expect(admission.waiting).toBe(10)
  })

  it('keeps the shares of many tenants apart, also when most of them have left', () => {
    const admission = newAdmission()
    for (let index = 0; index < 4; index++) admission.admit('busy', 0)
    for (let index = 0; index < 1_000; index++) {
      expect(admission.admit(`ten_${index}`, 0)).toBeNull()
      admission.release(`ten_${index}`)
    }
    expect(admission.admit('busy', 0)).toBe('tenant-full')
    expect(admission.waiting).toBe(4)
    admission.release('busy')
    expect(admission.admit('busy', 0)).toBeNull()
  })

  it('gives a tenant its share back', () => {
    const admission = newAdmission()
    for (let index = 0; index < 4; index++) admission.admit('busy', 0)
    admission.release('busy')
    expect(admission.admit('busy', 0)).toBeNull()
  })
})
