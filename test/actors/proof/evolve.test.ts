import { describe, expect, it } from 'vitest'
import { type ProofTypes, proofDecider } from '../../../src/actors/proof/rules.ts'
import type { ProofEvent } from '../../../src/actors/proof/state.ts'

const about = { tenant: 't', connectionId: 'c', externalId: null, proofTemplateId: 'p' }
const asked: ProofEvent = {
  type: 'ProofRequested',
  atMs: 1,
  ...about,
  threadId: 'x',
  request: '{}',
  change: { state: 'request-sent', previousState: null, sequence: 1 },
}
const received: ProofEvent = {
  type: 'PresentationReceived',
  atMs: 2,
  prefix: 'https://didcomm.org/',
  ...about,
  presentation: { id: 'p', hash: 'h' },
  change: { state: 'presentation-received', previousState: 'request-sent', sequence: 2 },
}
const verified: ProofEvent = {
  type: 'ProofVerified',
  atMs: 3,
  ...about,
  verified: true,
  disclosed: { person: { name: 'Ada' } },
  change: { state: 'done', previousState: 'presentation-received', sequence: 3 },
}
const evolve = (...events: ProofEvent[]): ProofTypes['state'] =>
  events.reduce(proofDecider.evolve, proofDecider.initialState)

describe('the state of a proof exchange', () => {
  it('drops the presentation and what was asked with the decision', () => {
    const done = evolve(asked, received, verified)
    expect(done).toMatchObject({ status: 'done', lastWord: { problem: null, nextAtMs: null }, sequence: 3 })
    expect(done).not.toHaveProperty('presentation')
    expect(done).not.toHaveProperty('request')
  })

  it.each<[string, ProofEvent[]]>([
    ['a presentation that nobody asked for', [received]],
    ['a second request', [asked, asked]],
    ['a decision without a presentation', [asked, verified]],
    ['an ack before the decision', [asked, { type: 'LastWordDelivered', atMs: 2 }]],
    [
      'a last word that was delivered already',
      [asked, received, verified, { type: 'LastWordDelivered', atMs: 4 }, { type: 'LastWordDue', atMs: 5 }],
    ],
  ])('refuses %s as impossible', (_name, events) => {
    expect(() => evolve(...events)).toThrow(/is impossible in/)
  })
})
