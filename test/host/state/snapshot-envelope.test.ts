import { describe, expect, it } from 'vitest'
import { unwrapSnapshot, wrapSnapshot } from '../../../src/host/state/snapshot-envelope.ts'

describe('the envelope of a snapshot', () => {
  it('gives back what was put in, line breaks and all', () => {
    const envelope = { recentCommands: ['a', 'b"\n'], state: '{"text":\n"two\nlines"}' }
    expect(unwrapSnapshot(wrapSnapshot(envelope))).toEqual(envelope)
  })

  it.each(['', '{}', '2[]\n{}', '1[1]\n{}', '1[]', '1{}\n{}', '1[]\n{\u0002~}', '1[]\n{\u0003!}'])(
    'refuses %j',
    (text) => {
      expect(() => unwrapSnapshot(text)).toThrow(/JSON|a snapshot/)
    },
  )
})
