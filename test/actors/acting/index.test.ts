import { describe, expect, it } from 'vitest'
import { actingOf } from '../../../src/actors/acting/act-for.ts'
import { actingKind } from '../../../src/actors/acting/index.ts'
import type { KindPorts } from '../../../src/actors/kind-ports.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { shardOf } from '../../../src/domain/references.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const organisation = 'ten_07aaaaaaaa'
const operatorId = 'acc_00operator'
const end = { number: 3, organisation, operatorId, by: 'time', atMs: 5 } as const
const effect = { id: 'report-3', kind: 'report-acting-end', end } as const

const actorThatAsks = (reply: unknown) => {
  const asked: { actor: string; command: unknown }[] = []
  const ask = async (actor: string, command: unknown): Promise<unknown> => {
    asked.push({ actor, command })
    return reply
  }
  return { definition: actingKind.definition({ actors: actorsThat({ ask }) } as unknown as KindPorts), asked }
}
const context = {
  actor: actingOf('s'),
  signal: new AbortController().signal,
  effectId: 'report-1',
  forward: () => null,
}

describe('the actor of what a session acts for', () => {
  it('stores what it reads', () => {
    const { events, snapshots } = actorThatAsks({}).definition
    const facts = { organisation, operatorId, sealedReason: 'c', mayChange: true }
    const begun = { type: 'ActingBegun', atMs: 1, ...facts } as const
    const ended = { type: 'ActingEnded', atMs: 2, by: 'operator' } as const
    const told = { type: 'ActingEndReported', atMs: 3, number: 1 } as const
    for (const event of [begun, ended, told])
      expect(events.decode(events.encode(event, null), null)).toEqual(event)
    const state = { number: 3, period: { ...facts, startedAtMs: 1, endsAtMs: 2 }, unreported: [end] }
    expect(snapshots.decode(snapshots.encode(state, null), null)).toEqual(state)
  })

  it('tells an end in the log of the organisation, as one line however often', async () => {
    const { definition, asked } = actorThatAsks({})
    const noted = { type: 'RecordEndReported', number: 3, atMs: 5 }
    expect(await definition.perform(effect, context)).toEqual(noted)
    expect(await definition.perform(effect, context)).toEqual(noted)
    expect(asked[0]).toEqual(asked[1])
    expect(shardOf(asked[0]?.actor ?? '')).toBe(7)
    const line = { initiator: 'nobody', action: 'actingRanOut', outcome: 'done', organisation }
    expect(asked[0]?.command).toMatchObject({ ...line, initiatorId: operatorId, atMs: 5 })
    await definition.perform({ ...effect, end: { ...end, by: 'operator' } }, context)
    expect(asked[2]?.command).toMatchObject({ initiator: 'operator', action: 'endActing' })
  })

  it('goes on owing what the log did not take', async () => {
    const { definition } = actorThatAsks(refuse('not_found', 'No.'))
    await expect(definition.perform(effect, context)).rejects.toThrow('refused')
  })

  it('ends by the wake-up of its own period', () => {
    expect(actorThatAsks({}).definition.onTimer('end-4', 9)).toEqual({
      type: 'LetActingRunOut',
      number: 4,
      atMs: 9,
    })
  })
})
