import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { changeOf, event, oneOf, storedRecord, text, textOrNull } from '../../src/actors/stored-fields.ts'

describe('the stored form of an event', () => {
  const schema = Compile(
    event('Moved', { change: changeOf(['a', 'b']), who: textOrNull, how: oneOf(['x', 'y']) }),
  )
  const good = {
    type: 'Moved',
    atMs: 1,
    change: { state: 'b', previousState: 'a', sequence: 2 },
    who: null,
    how: 'x',
  }

  it('admits what the domain says, and nothing else', () => {
    expect(schema.Check(good)).toBe(true)
    const bad = [
      { ...good, type: 'Other' },
      { ...good, atMs: -1 },
      { ...good, how: 'z' },
      { ...good, who: 5 },
      { ...good, change: { ...good.change, state: 'c' } },
      { ...good, change: { ...good.change, sequence: 0 } },
    ]
    expect(bad.map((value) => schema.Check(value))).toEqual(bad.map(() => false))
  })
})

describe('the stored form of a record', () => {
  const seal = { seal: (plain: string) => btoa(plain), open: (sealed: string) => atob(sealed) }
  const { events, snapshots } = storedRecord({
    personal: ['name'],
    events: { Built: { name: textOrNull, place: text }, Painted: { colour: text } },
    records: [{ status: oneOf(['open']), name: textOrNull }],
    later: {
      Painted: { version: 2, upcasts: { 1: ({ shade, ...rest }) => ({ ...rest, colour: shade }) } },
    },
  })

  it('seals personal fields in whatever they stand in', () => {
    const built = events.encode({ type: 'Built', atMs: 1, name: 'Ada', place: 'here' }, seal)
    expect(built).not.toContain('Ada')
    expect(events.decode(built, seal)).toMatchObject({ name: 'Ada', place: 'here' })
    const snapshot = snapshots.encode({ status: 'open', name: 'Ada' }, seal)
    expect(snapshot).not.toContain('Ada')
    expect(snapshots.decode(snapshot, seal)).toEqual({ status: 'open', name: 'Ada' })
  })

  it('reads an event of an older version', () => {
    const old = '{"v":1,"d":{"type":"Painted","atMs":1,"shade":"red"}}'
    expect(events.decode(old, null)).toEqual({ type: 'Painted', atMs: 1, colour: 'red' })
    expect(events.encode({ type: 'Painted', atMs: 1, colour: 'red' }, null)).toMatch(/^{"v":2,/)
  })
})
