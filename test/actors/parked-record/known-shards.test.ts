import { describe, expect, it } from 'vitest'
import { KnownShards } from '../../../src/actors/parked-record/known-shards.ts'

describe('the shards in which something is parked', () => {
  it('are looked at once', () => {
    const known = new KnownShards()
    expect(known.mayBeInUse(1)).toBe(true)
    known.seen(1, [])
    expect(known.mayBeInUse(1)).toBe(false)
    known.announced(1)
    expect(known.mayBeInUse(1)).toBe(true)
  })

  it('are looked at again by a node that was not among the others for a while', () => {
    let session: string | null = 'first'
    const known = new KnownShards()
    known.knownAs(() => session)
    known.seen(1, [])
    expect(known.mayBeInUse(1)).toBe(false)
    session = null
    known.seen(1, [])
    session = 'second'
    expect(known.mayBeInUse(1)).toBe(true)
    known.seen(1, [])
    expect(known.mayBeInUse(1)).toBe(false)
  })
})
