import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeEntries, encodeEntries } from '../../../src/persistence/cassandra/entries-codec.ts'
import type { JournalEntry } from '../../../src/ports/journal.ts'
import { entry, timer } from '../../contract/journal/parts/slots.ts'

const anyTimer = fc.record({ actor: fc.string(), timerId: fc.string(), dueMs: fc.nat() })
const anyEntry: fc.Arbitrary<JournalEntry> = fc.record({
  actor: fc.string({ minLength: 1 }),
  seq: fc.integer({ min: 1 }),
  commandId: fc.option(fc.string({ minLength: 1 }), { nil: null }),
  events: fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }),
  timersSet: fc.array(anyTimer, { maxLength: 3 }),
  timersCleared: fc.array(anyTimer, { maxLength: 3 }),
})

describe('entries as one blob', () => {
  it('come back whatever their texts are', () => {
    fc.assert(
      fc.property(fc.array(anyEntry, { minLength: 1, maxLength: 8 }), (entries) => {
        expect(decodeEntries(encodeEntries(entries))).toEqual(entries)
      }),
    )
  })

  it('come back as they were, with events, commands and timers', () => {
    const entries = [
      entry('a', 1, { events: 3 }),
      {
        ...entry('b', 7, { set: [timer('b', 5), timer('c', 6)], cleared: [timer('b', 4)] }),
        commandId: null,
      },
    ]
    expect(decodeEntries(encodeEntries(entries))).toEqual(entries)
    expect(decodeEntries(encodeEntries([]))).toEqual([])
  })

  it('keep events that look like their own frame, and text of any script', () => {
    const events = [
      '{"text":"line\nline"}',
      '',
      '1[["a",1]]\n',
      '{"name":"Zoë 李雷 🙂"}',
      '{"half":"\\ud83d"}',
    ]
    const entries = [{ ...entry('a', 1), events }, entry('b', 1)]
    expect(decodeEntries(encodeEntries(entries))).toEqual(entries)
  })

  it('cost little beside the texts, which are not quoted again', () => {
    const text = JSON.stringify({ quoted: '"'.repeat(1_000) })
    expect(encodeEntries([{ ...entry('a', 1), events: [text] }]).length).toBeLessThan(text.length + 60)
  })

  it('are refused without an event', () => {
    expect(() => encodeEntries([entry('a', 1, { events: 0 })])).toThrow('an entry of a has no event')
  })

  it('of a format that a newer release wrote are not guessed at', () => {
    expect(() => decodeEntries(Buffer.from('2[]\n'))).toThrow('a format this release does not know')
  })
})
