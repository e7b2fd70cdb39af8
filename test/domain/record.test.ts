import { describe, expect, it } from 'vitest'
import { refuse, type Decider } from '../../src/domain/decider.ts'
import { recordDecider, type RecordTypes } from '../../src/domain/record.ts'

type At = { readonly atMs: number }
type Door = { readonly status: 'open' | 'shut'; readonly name: string }
type DoorTypes = RecordTypes<
  Door,
  At & ({ readonly type: 'Build'; readonly name: string } | { readonly type: 'Shut' }),
  At & ({ readonly type: 'Built'; readonly name: string } | { readonly type: 'WasShut' }),
  { readonly id: string; readonly kind: 'paint' }
>

const unknown = refuse('not_found', 'There is no door.')
const nameless = refuse('invalid_request', 'A door has a name.')
const other = refuse('already_member', 'There is another door.')

const door: Decider<DoorTypes> = recordDecider({
  unknown,
  first: ['Build', 'Built'],
  create: (command) => (command.name === '' ? nameless : { ...command, type: 'Built' }),
  created: ({ name }) => ({ status: 'open', name }),
  again: ({ name }, command) => (name === command.name ? [] : other),
  decide: ({ status }, { atMs }) => (status === 'open' ? [{ type: 'WasShut', atMs }] : []),
  evolve: (record) => ({ ...record, status: 'shut' }),
  owed: ({ status }) => (status === 'open' ? [{ id: 'paint', kind: 'paint' }] : []),
})

const now = { atMs: 1 }
const none = door.initialState
const open = door.evolve(none, { type: 'Built', ...now, name: 'front' })

describe('a record that a command creates', () => {
  it('is unknown to everything but that command until then, and owes nothing', () => {
    expect(door.decide(none, { type: 'Shut', ...now })).toBe(unknown)
    expect(door.views.record(none)).toBe(unknown)
    expect([door.owed?.(none), door.timers?.(none)]).toEqual([[], []])
    expect(door.decide(none, { type: 'Build', ...now, name: '' })).toBe(nameless)
    expect(door.decide(none, { type: 'Build', ...now, name: 'front' })).toEqual([
      { type: 'Built', ...now, name: 'front' },
    ])
  })

  it('goes by the rules of its kind from then on, also when it is created once more', () => {
    expect(door.views.record(open)).toEqual({ status: 'open', name: 'front' })
    expect(door.owed?.(open)).toHaveLength(1)
    expect(door.decide(open, { type: 'Shut', ...now })).toEqual([{ type: 'WasShut', ...now }])
    expect(door.decide(open, { type: 'Build', ...now, name: 'front' })).toEqual([])
    expect(door.decide(open, { type: 'Build', ...now, name: 'back' })).toBe(other)
    expect(door.evolve(open, { type: 'WasShut', ...now })).toEqual({ status: 'shut', name: 'front' })
  })

  it('cannot begin with another event, or begin twice', () => {
    expect(() => door.evolve(none, { type: 'WasShut', ...now })).toThrow('WasShut is impossible in none')
    expect(() => door.evolve(open, { type: 'Built', ...now, name: 'front' })).toThrow(
      'Built is impossible in open',
    )
  })
})
