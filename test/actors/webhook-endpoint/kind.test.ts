import { describe, expect, it } from 'vitest'
import { webhookEndpointKind } from '../../../src/actors/webhook-endpoint/index.ts'
import { shardOf } from '../../../src/domain/references.ts'
import {
  endpointDecider,
  endpointOf,
  type EndpointEvent,
} from '../../../src/actors/webhook-endpoint/rules.ts'
import { givenPorts } from '../given-ports.ts'

const { events, snapshots, onTimer } = webhookEndpointKind.definition(givenPorts({}))

describe('the actor of a webhook endpoint', () => {
  it('is one for each organisation, on its shard', () => {
    expect(endpointOf('ten_7faaaaaaaa')).toBe('whk_7faaaaaaaa')
    expect(shardOf(endpointOf('ten_7faaaaaaaa'))).toBe(0x7f)
  })

  it('stores its events and its state so that they read as they were', () => {
    const happened: EndpointEvent[] = [
      {
        type: 'WebhookEndpointSet',
        atMs: 1,
        tenant: 'ten_00aaaaaaaa',
        url: 'https://receiver.example/',
        eventTypes: ['proof.state_changed'],
        sealedSecret: 'sealed 1',
      },
      { type: 'WebhookSecretRotated', atMs: 2, sealedSecret: 'sealed 2' },
      { type: 'DeliveriesToResend', atMs: 3, id: 'order', status: 'dead', fromMs: null, toMs: 3 },
      { type: 'DeliveriesToResend', atMs: 3, id: 'other', status: 'pending', fromMs: 1, toMs: 3 },
      { type: 'ResendingReached', atMs: 4, id: 'other', toMs: 2 },
      { type: 'DeliveriesResent', atMs: 4, id: 'order' },
      { type: 'WebhookEndpointRemoved', atMs: 5 },
    ]
    let state = endpointDecider.initialState
    for (const event of happened) {
      expect(events.decode(events.encode(event, null), null)).toEqual(event)
      state = endpointDecider.evolve(state, event)
      expect(snapshots.decode(snapshots.encode(state, null), null)).toEqual(state)
    }
  })

  it('has no timers', () => {
    expect(() => void onTimer('x', 1)).toThrow(/no timer/)
  })
})
