import { describe, expect, it } from 'vitest'
import { readHandedOver, type HandedOver } from '../../src/cluster/facts/fact-messages.ts'
import { encode } from '../../src/cluster/json-bytes.ts'
import { readHandedWindows, type HandedWindows } from '../../src/cluster/rates/rate-messages.ts'

const note = { actor: 'key_00x', node: 'n1', forMs: 100, isCalledBack: false }
const facts: HandedOver = { shard: 255, epoch: 3, unknownForMs: 0, notes: [note] }
const loan = { id: 'l1', node: 'n1', places: 4, told: 1, forMs: -5 }
const window = { key: 'key_00x', rate: { max: 300, windowMs: 60_000 }, agesMs: [0.5, 900], loans: [loan] }
const windows: HandedWindows = { shard: 0, epoch: 1, windows: [window] }

describe('what the owner before hands over', () => {
  it('is taken as it was sent', () => {
    expect(readHandedOver(encode(facts))).toEqual(facts)
    expect(readHandedWindows(encode(windows))).toEqual(windows)
  })

  it('is not taken where it is no such thing: it would stay', () => {
    const noFacts = [
      null,
      'facts',
      {},
      { ...facts, shard: 256 },
      { ...facts, shard: -1 },
      { ...facts, epoch: 'x' },
      { ...facts, notes: {} },
      { ...facts, notes: [{ ...note, forMs: null }] },
      { ...facts, notes: [{ ...note, actor: 7 }] },
      { ...facts, unknownForMs: null },
    ]
    for (const each of noFacts) expect(() => readHandedOver(encode(each))).toThrow(SyntaxError)
    const noWindows = [
      [],
      { ...windows, shard: 1.5 },
      { ...windows, windows: [{ ...window, rate: null }] },
      { ...windows, windows: [{ ...window, agesMs: ['1'] }] },
      { ...windows, windows: [{ ...window, loans: [{ ...loan, places: -1 }] }] },
    ]
    for (const each of noWindows) expect(() => readHandedWindows(encode(each))).toThrow(SyntaxError)
    expect(() => readHandedOver(Buffer.from('{'))).toThrow(SyntaxError)
  })
})
