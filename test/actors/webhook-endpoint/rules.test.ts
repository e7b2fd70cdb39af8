import { describe, expect, it } from 'vitest'
import {
  SECRET_OVERLAP_MS,
  endpointDecider,
  type EndpointCommand,
  type EndpointState,
  type EndpointTypes,
} from '../../../src/actors/webhook-endpoint/rules.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { itFollowsItsTable, runPath, type Machine } from '../../domain/transition-table.ts'

const set: EndpointCommand = {
  type: 'SetWebhookEndpoint',
  atMs: 1_000,
  tenant: 'ten_00aaaaaaaa',
  url: 'https://receiver.example/hooks',
  eventTypes: ['proof.state_changed'],
  sealedSecret: 'sealed 1',
}
const commands: Record<EndpointCommand['type'], EndpointCommand> = {
  SetWebhookEndpoint: { ...set, url: 'https://receiver.example/other', sealedSecret: 'sealed 2' },
  RotateWebhookSecret: { type: 'RotateWebhookSecret', atMs: 2_000, sealedSecret: 'sealed 3' },
  RemoveWebhookEndpoint: { type: 'RemoveWebhookEndpoint', atMs: 3_000 },
  RequireEventWanted: { type: 'RequireEventWanted', eventType: 'proof.state_changed' },
  RequireNoEndpoint: { type: 'RequireNoEndpoint' },
  ResendDeliveries: {
    type: 'ResendDeliveries',
    atMs: 4_000,
    id: 'order-1',
    status: 'dead',
    fromMs: null,
    toMs: 4_000,
  },
  RecordResendingReached: { type: 'RecordResendingReached', atMs: 4_500, id: 'order-1', toMs: 3_000 },
  RecordDeliveriesResent: { type: 'RecordDeliveriesResent', atMs: 5_000, id: 'order-1' },
}
const machine: Machine<EndpointTypes> = {
  decider: endpointDecider,
  paths: { none: [], set: [set], removed: [set, commands.RemoveWebhookEndpoint] },
  commands,
}
const after = (...given: readonly EndpointCommand[]): EndpointState =>
  runPath({ ...machine, paths: { here: given } }, 'here')

describe('a webhook endpoint', () => {
  itFollowsItsTable('WEBHOOKS.md', machine)

  it('owes each order to send deliveries again until it is carried out, and takes the same one once', () => {
    const { ResendDeliveries: resend, RecordDeliveriesResent: resent } = commands
    const ordered = after(set, resend)
    expect(endpointDecider.owed?.(ordered)).toMatchObject([
      { id: 'resend:order-1', tenant: 'ten_00aaaaaaaa', resending: { status: 'dead', toMs: 4_000 } },
    ])
    expect(endpointDecider.decide(ordered, resend)).toEqual([])
    expect(endpointDecider.owed?.(after(set, resend, resent))).toEqual([])
  })

  it('remembers how far an order is, which only goes on', () => {
    const { ResendDeliveries: resend, RecordResendingReached: reached } = commands
    const owed = endpointDecider.owed?.(after(set, resend, reached))
    expect(owed).toMatchObject([{ id: 'resend:order-1', resending: { toMs: 3_000 } }])
    for (const toMs of [3_000, 3_500])
      expect(endpointDecider.decide(after(set, resend, reached), { ...reached, toMs } as never)).toEqual([])
  })

  it('takes sixteen such orders at once, and no more', () => {
    const order = (number: number): EndpointCommand =>
      ({ ...commands.ResendDeliveries, id: `order-${number}` }) as EndpointCommand
    const full = after(set, ...Array.from({ length: 16 }, (_, number) => order(number)))
    expect(endpointDecider.decide(full, order(16))).toMatchObject({ refused: 'rate_limited' })
  })

  it('sends what was held when it is set again, with the orders that the removal left, and nothing at first', () => {
    expect(endpointDecider.owed?.(after(set))).toEqual([])
    const removed = after(set, commands.ResendDeliveries, commands.RemoveWebhookEndpoint)
    expect(endpointDecider.owed?.(removed)).toEqual([])
    const owedAfter = (...more: readonly EndpointCommand[]) =>
      endpointDecider.owed?.(
        after(
          set,
          commands.ResendDeliveries,
          commands.RemoveWebhookEndpoint,
          commands.SetWebhookEndpoint,
          ...more,
        ),
      )
    const held = { resending: { status: 'held', fromMs: null, toMs: null } }
    expect(owedAfter()).toMatchObject([{ id: 'resend:order-1' }, held])
    const again = { ...set, atMs: 9_000 }
    expect(owedAfter(commands.RemoveWebhookEndpoint, again)).toMatchObject([
      { id: 'resend:order-1' },
      { id: 'resend:held:9000', ...held },
    ])
  })

  it('wants a test whatever its filter says', () => {
    const test: EndpointCommand = { type: 'RequireEventWanted', eventType: 'webhook.test' }
    expect(endpointDecider.decide(after(set), test)).toEqual([])
  })

  it('keeps its secret when the URL or the filter changes', () => {
    expect(after(set, commands.SetWebhookEndpoint)).toMatchObject({
      url: 'https://receiver.example/other',
      sealedSecret: 'sealed 1',
      createdAtMs: 1_000,
    })
  })

  it('changes nothing when it is set to what it is', () => {
    expect(endpointDecider.decide(after(set), { ...set, sealedSecret: 'sealed 9' })).toEqual([])
  })

  it('keeps the previous secret for a day after a rotation, and drops the oldest at a second one', () => {
    const rotated = after(set, commands.RotateWebhookSecret)
    expect(rotated).toMatchObject({
      sealedSecret: 'sealed 3',
      sealedPreviousSecret: 'sealed 1',
      previousSecretExpiresAtMs: 2_000 + SECRET_OVERLAP_MS,
    })
    const again: EndpointCommand = { type: 'RotateWebhookSecret', atMs: 2_500, sealedSecret: 'sealed 4' }
    expect(after(set, commands.RotateWebhookSecret, again)).toMatchObject({
      sealedSecret: 'sealed 4',
      sealedPreviousSecret: 'sealed 3',
    })
  })

  it('gets a new secret, and no previous one, when it is set again after a removal', () => {
    const removed = [set, commands.RotateWebhookSecret, commands.RemoveWebhookEndpoint]
    expect(after(...removed, commands.SetWebhookEndpoint)).toMatchObject({
      sealedSecret: 'sealed 2',
      sealedPreviousSecret: null,
    })
  })

  it('wants the events of its filter, all without one, none when it is removed', () => {
    const wants = (state: EndpointState, eventType: string) =>
      !isRefused(endpointDecider.decide(state, { type: 'RequireEventWanted', eventType }))
    expect(wants(after(set), 'proof.state_changed')).toBe(true)
    expect(wants(after(set), 'connection.state_changed')).toBe(false)
    expect(wants(after({ ...set, eventTypes: null }), 'connection.state_changed')).toBe(true)
    expect(wants(after(set, commands.RemoveWebhookEndpoint), 'proof.state_changed')).toBe(false)
    expect(wants(after(), 'proof.state_changed')).toBe(false)
  })

  it('refuses a journal that cannot have happened', () => {
    const removed = { type: 'WebhookEndpointRemoved', atMs: 1 } as const
    const rotated = { type: 'WebhookSecretRotated', atMs: 1, sealedSecret: 's' } as const
    for (const event of [removed, rotated])
      expect(() => endpointDecider.evolve({ status: 'none' }, event)).toThrow(/impossible/)
    const { type: _, sealedSecret: __, ...facts } = set
    const kept = { type: 'WebhookEndpointSet', ...facts, sealedSecret: null } as const
    expect(() => endpointDecider.evolve({ status: 'none' }, kept)).toThrow(/impossible/)
    expect(() => endpointDecider.evolve(after(set), { ...kept, sealedSecret: 's' })).toThrow(/impossible/)
  })
})
