import { describe, expect, it } from 'vitest'
import { wrapSnapshot } from '../../src/host/state/snapshot-envelope.ts'
import { describeActor, renderActor } from '../../src/cli/journal-text.ts'

const actor = 'con_01aaaaaaaa'
const sealed = '{"v":1,"d":{"type":"Offered","name":null},"s":"bm90LXRvLWJlLXNlZW4"}'
const clear = '{"v":1,"d":{"type":"Sent"}}'

describe('an actor described', () => {
  it('shows what is not sealed and only says that something is', () => {
    const events = [
      { seq: 1, commandId: 'one', data: sealed },
      { seq: 2, commandId: null, data: clear },
    ]
    const state = '{"v":1,"d":{"status":"sent","name":null},"s":"bm90LXRvLWJlLXNlZW4"}'
    const snapshot = { seq: 2, data: wrapSnapshot({ recentCommands: ['one'], state }) }
    const described = describeActor(actor, { snapshot, events })
    expect(described).toEqual({
      actor,
      snapshotSeq: 2,
      snapshot: { status: 'sent', name: null },
      events: [
        { seq: 1, commandId: 'one', event: { type: 'Offered', name: null }, sealed: true },
        { seq: 2, commandId: null, event: { type: 'Sent' }, sealed: false },
      ],
    })
    expect(JSON.stringify(described)).not.toContain('bm90')
  })

  it('quotes nothing of a text that it cannot read', () => {
    const data = 'Ada Lovelace, in clear'
    const described = describeActor(actor, {
      snapshot: { seq: 1, data },
      events: [{ seq: 1, commandId: null, data }],
    })
    expect(described.events[0]).toEqual({
      seq: 1,
      commandId: null,
      event: null,
      sealed: false,
      problem: 'cannot be read',
    })
    expect(JSON.stringify(described)).not.toContain('Ada')
  })
})

describe('an actor as lines', () => {
  it('has its events under one another, whatever their numbers', () => {
    const events = [
      { seq: 9, commandId: 'nine', data: sealed },
      { seq: 10, commandId: null, data: clear },
    ]
    expect(renderActor(describeActor(actor, { snapshot: null, events })).split('\n')).toEqual([
      `${actor}: 2 events, no snapshot`,
      ' 9  {"type":"Offered","name":null}  + sealed personal fields  by nine',
      '10  {"type":"Sent"}  by no command',
    ])
  })
})
