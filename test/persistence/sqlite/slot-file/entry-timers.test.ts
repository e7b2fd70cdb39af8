import { describe, expect, it } from 'vitest'
import { parseTimers, timersText } from '../../../../src/persistence/sqlite/slot-file/entry-timers.ts'
import { entry, timer } from '../../../contract/journal/parts/slots.ts'

describe('the timers of an entry', () => {
  it('are no text when there are none', () => {
    expect(timersText(entry('a', 1))).toBe('')
    expect(parseTimers('', 'a')).toEqual({ set: [], cleared: [] })
  })

  it('come back with their actors, also those of another actor', () => {
    const set = [timer('a', 5), timer('b', 6)]
    const cleared = [timer('a', 4, 'reminder')]
    expect(parseTimers(timersText(entry('a', 1, { set, cleared })), 'a')).toEqual({ set, cleared })
  })

  it('name an actor only where it is not that of the entry', () => {
    const set = [timer('actor-1', 5), timer('actor-2', 6)]
    expect(timersText(entry('actor-1', 1, { set }))).toBe('[[["expiry",5],["expiry",6,"actor-2"]],[]]')
  })
})
