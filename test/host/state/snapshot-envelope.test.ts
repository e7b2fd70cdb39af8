import { describe, expect, it } from 'vitest'
import { unwrapSnapshot, wrapSnapshot } from '../../../src/host/state/snapshot-envelope.ts'

describe('the envelope of a snapshot', () => {
  it('gives back what was put in, line breaks and all', () => {
    const envelope = { recentCommands: ['a', 'b"\n'], state: '{"text":\n"two\nlines"}' }
    expect(unwrapSnapshot(wrapSnapshot(envelope))).toEqual(envelope)
  })

  it.each([
    '',
    '{}',
    '{"version":2,"recentCommands":[]}\n{}',
    '{"version":1,"recentCommands":[1]}\n{}',
    '{"version":1,"recentCommands":[]}',
  ])('refuses %j', (text) => {
    expect(() => unwrapSnapshot(text)).toThrow(/JSON|header line/)
  })
})
