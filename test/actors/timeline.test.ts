import { describe, expect, it } from 'vitest'
import { credential, credentialDecider } from '../../src/actors/credential/rules.ts'
import type { CredentialCommand } from '../../src/actors/credential/state.ts'
import { eventIdOf } from '../../src/actors/state-changed.ts'
import { tags } from '../../src/actors/tags.ts'
import { timelineRoute } from '../../src/actors/timeline.ts'
import { deliveryOf } from '../../src/actors/webhook-delivery/intake.ts'
import { type DeliveryCommand, deliveryDecider } from '../../src/actors/webhook-delivery/rules.ts'
import { endpointOf } from '../../src/actors/webhook-endpoint/rules.ts'
import { refuse } from '../../src/domain/decider.ts'
import { called } from '../compose/called-route.ts'
import { runDecider } from '../domain/run-decider.ts'
import { actorsThat } from '../host/parts/actors-that.ts'

const tenant = 'ten_00aaaaaaaa'
const id = 'cre_00aaaaaaaa'
const endpoint = endpointOf(tenant)
const fromHolder = { from: 'con_00aaaaaaaa', prefix: 'https://didcomm.org/' } as const
const offered: CredentialCommand = {
  type: 'OfferCredential',
  atMs: 1_000,
  tenant,
  connectionId: 'con_00aaaaaaaa',
  externalId: 'order-1',
  definition: { catalogueId: 'def_00aaaaaaaa', ledgerId: 'did:3:CL:1:default' },
  threadId: 'thread',
  nonce: '1',
  attributes: { name: 'Ada' },
}
const delivered: CredentialCommand = { type: 'RecordOfferDelivered', atMs: 2_000, otherAtMs: null }
const noText = 'Not without my grandmother'
const declined: CredentialCommand = {
  type: 'ReceiveCredentialProblem',
  atMs: 3_000,
  code: 'declined',
  text: noText,
  ...fromHolder,
}
const erase: CredentialCommand = { type: 'EraseRecord', atMs: 9_000, tenant, by: 'api_key' }

const deliveryAfter = (...commands: readonly DeliveryCommand[]) => {
  const event = {
    id: eventIdOf(id, 1),
    type: 'credential.state_changed',
    createdAtMs: 1_000,
    recordType: 'credential',
    recordId: id,
    data: {},
    sealed: null,
  }
  const create: DeliveryCommand = { type: 'CreateDelivery', atMs: 1_100, tenant, endpoint, event }
  return runDecider(deliveryDecider, [create, ...commands]).state
}
const attempt = (status: number): DeliveryCommand => ({
  type: 'RecordDeliveryAttempt',
  atMs: 1_300,
  number: 1,
  attempt: {
    atMs: 1_200,
    url: 'https://r.example',
    status,
    durationMs: 30,
    error: status === 200 ? null : `the receiver answered ${status}`,
    sealedAnswer: 'sealed',
  },
})

const timelineOf = (commands: readonly CredentialCommand[], delivery: unknown = null) => {
  const { state } = runDecider(credentialDecider, commands)
  const first = deliveryOf(endpoint, eventIdOf(id, 1))
  const none = refuse('not_found', 'none')
  const actors = actorsThat({
    read: (ref: string) => (ref === id ? state : ref === first && delivery !== null ? delivery : none),
  })
  const route = timelineRoute(
    { actors },
    {
      path: '/v1/credentials',
      tag: tags.credentials,
      name: 'Credential',
      noun: 'credential exchange',
      recordType: 'credential',
      references: credential,
      messages: {
        'request-received': 'in:request-credential',
        'credential-issued': 'out:issue-credential',
        done: 'in:ack',
      },
    },
  )
  const caller = { kind: 'api_key', tenantId: tenant, keyId: 'k' } as const
  return called([route], 'getCredentialTimeline', { caller, params: { id } })
}
const shown = (at: number, kind: string, name: string, detail: string | null = null) => ({
  at: new Date(at).toISOString(),
  kind,
  name,
  detail,
})

describe('the timeline of an exchange', () => {
  it('has its states, messages, events and deliveries in the order in which they happened', async () => {
    const request: CredentialCommand = {
      type: 'ReceiveCredentialRequest',
      atMs: 3_000,
      request: { id: 'r', hash: 'h' },
      ...fromHolder,
    }
    const all = await timelineOf([offered, delivered, request], deliveryAfter(attempt(500)))
    expect(all).toEqual({
      items: [
        shown(1_000, 'state', 'offer-sent'),
        shown(1_000, 'event', 'credential.state_changed', 'evt_cre_00aaaaaaaa_1'),
        shown(1_100, 'delivery', 'recorded', 'evt_cre_00aaaaaaaa_1'),
        shown(
          1_200,
          'delivery',
          'failed',
          'attempt 1: the receiver answered 500 (30 ms), evt_cre_00aaaaaaaa_1',
        ),
        shown(2_000, 'message_out', 'offer-credential'),
        shown(3_000, 'message_in', 'request-credential'),
        shown(3_000, 'state', 'request-received'),
        shown(3_000, 'event', 'credential.state_changed', 'evt_cre_00aaaaaaaa_2'),
      ],
    })
  })

  it('has each attempt at a face check, and numbers events as they were sent', async () => {
    const faceCheck = {
      id: 'fck_00aaaaaaaa',
      vendor: 'aws_rekognition',
      status: 'pending',
      attempts: 0,
      attemptsRemaining: 3,
      attemptsMax: 3,
      expiresAtMs: 1_801_000,
      decidedAtMs: null,
    } as const
    const result = { livenessScore: 12.5, matchScore: null, reason: 'Too dark.' }
    const attempted = { type: 'RecordFaceCheck', checkId: faceCheck.id, result } as const
    const all = await timelineOf([
      { ...offered, faceCheck },
      { ...attempted, atMs: 2_000, status: 'pending', attempts: 1, attemptsRemaining: 2 },
      { ...attempted, atMs: 3_000, status: 'passed', attempts: 2, attemptsRemaining: 1 },
      { ...declined, atMs: 4_000 },
    ])
    const event = (at: number, sequence: number) =>
      shown(at, 'event', 'credential.state_changed', eventIdOf(id, sequence))
    expect(all).toEqual({
      items: [
        shown(1_000, 'state', 'offer-sent'),
        event(1_000, 1),
        shown(2_000, 'biometric', 'attempt-failed'),
        event(2_000, 2),
        shown(3_000, 'biometric', 'passed'),
        event(3_000, 3),
        shown(4_000, 'message_in', 'problem-report'),
        shown(4_000, 'state', 'declined', 'declined_by_holder'),
        event(4_000, 4),
      ],
    })
    expect(JSON.stringify(all)).not.toMatch(/dark|12\.5/)
  })

  it('says nothing personal, and outlives the erasure', async () => {
    const before = await timelineOf([offered, delivered, declined])
    expect(JSON.stringify(before)).not.toMatch(/grandmother|Ada|order-1/)
    const after = (await timelineOf([offered, delivered, declined, erase])) as { readonly items: unknown[] }
    expect(after.items.slice(0, -2)).toEqual((before as typeof after).items)
    expect(after.items.slice(-2)).toEqual([
      shown(9_000, 'state', 'erased'),
      shown(9_000, 'event', 'record.erased', 'evt_cre_00aaaaaaaa_3'),
    ])
    const items = (before as { readonly items: readonly { readonly name: string }[] }).items
    expect(items.map(({ name }) => name)).toContain('problem-report')
    expect(items).toContainEqual(shown(3_000, 'state', 'declined', 'declined_by_holder'))
    expect(items.map(({ name }) => name)).not.toContain('why:declined_by_holder')
  })

  it('has no event of an erasure that nobody asked for, and no attempts once they are forgotten', async () => {
    const swept = await timelineOf(
      [offered, delivered, declined, { ...erase, by: 'retention' }],
      deliveryAfter(attempt(200), { type: 'ForgetDelivery', atMs: 9_000 }),
    )
    const names = (swept as { readonly items: readonly { readonly kind: string; readonly name: string }[] })
      .items
    expect(names.filter(({ kind }) => kind === 'delivery')).toEqual([])
    expect(names.map(({ name }) => name)).not.toContain('record.erased')
    expect(names.at(-1)).toMatchObject({ kind: 'state', name: 'erased' })
  })
})
