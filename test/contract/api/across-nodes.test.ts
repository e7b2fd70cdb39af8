import { describe, expect, it } from 'vitest'
import { kinds } from '../../../src/actors/index.ts'
import { waitForRoomMs } from '../../../src/actors/credential-offer-job/begin.ts'
import { KeyClaims } from '../../../src/actors/mediated-key/claims.ts'
import { acrossNodes } from '../../cluster/asks/parts/across.ts'
import { faceCheck } from '../../../src/actors/face-check/rules.ts'
import { idempotencyClaim } from '../../../src/actors/idempotency-claim/rules.ts'
import { itemRateOf } from '../../../src/actors/offer-item-rate/rules.ts'
import { signInLockout } from '../../../src/actors/sign-in-lockout/rules.ts'
import { KindTables } from '../../../src/actors/tables.ts'
import { deliveryOf, takeEvent } from '../../../src/actors/webhook-delivery/intake.ts'
import { endpointOf } from '../../../src/actors/webhook-endpoint/rules.ts'
import { furnished, serviceOnMemory } from '../../compose/service-on-memory.ts'
import { contractArea } from './area.ts'
import { accountCases, accountSamples } from './areas/accounts.ts'
import { eventCases, eventSamples } from './areas/events.ts'
import { exchangeCases, exchangeSamples } from './areas/exchanges.ts'
import { offersCases, offersSamples } from './areas/offers.ts'
import { operatorCases, operatorSamples } from './areas/operators.ts'
import { peopleCases, peopleSamples } from './areas/people.ts'
import { publishingCases, publishingSamples } from './areas/publishing.ts'
import { setupCases, setupSamples } from './areas/setup.ts'
import { walletCases, walletSamples } from './areas/wallets.ts'

// The whole contract at a node that serves no shard itself: every ask crosses to another one and back.
const seen = new Set<string>()
const through = acrossNodes(seen)
contractArea('accounts across nodes', { samples: accountSamples, cases: accountCases }, through)
contractArea('events across nodes', { samples: eventSamples, cases: eventCases }, through)
contractArea('exchanges across nodes', { samples: exchangeSamples, cases: exchangeCases }, through)
contractArea('many offers across nodes', { samples: offersSamples, cases: offersCases }, through)
contractArea('operators across nodes', { samples: operatorSamples, cases: operatorCases }, through)
contractArea('people across nodes', { samples: peopleSamples, cases: peopleCases }, through)
contractArea('publishing across nodes', { samples: publishingSamples, cases: publishingCases }, through)
contractArea('setup across nodes', { samples: setupSamples, cases: setupCases }, through)
contractArea('wallets across nodes', { samples: walletSamples, cases: walletCases }, through)

describe('what organisations hear', () => {
  it('crosses as it is, whatever a kind puts into its events', async () => {
    const service = await serviceOnMemory(through)
    const { tenant } = await furnished(service)
    const { actors, journal, runtime } = service
    const now = () => runtime.now()
    const endpoint = endpointOf(tenant)
    const settings = { url: 'https://receiver.example', eventTypes: null, sealedSecret: 's' }
    const command = { type: 'SetWebhookEndpoint', atMs: now(), tenant, ...settings } as const
    await actors.ask(endpoint, command, { commandId: 'set', tenant })
    const { publish } = new KindTables(kinds)
    const told = [...journal.events].flatMap(([actor, events]) =>
      events.flatMap(({ data }) => publish(actor, data) ?? []),
    )
    expect(told.length).toBeGreaterThan(0)
    for (const event of told) {
      await takeEvent({ actors, now }, event)
      await actors.read(deliveryOf(endpoint, event.id))
    }
    await service.close()
  })
})

describe('the key of a wallet', () => {
  it('is claimed and found across nodes', async () => {
    const service = await serviceOnMemory(through)
    const { actors, runtime } = service
    const claims = new KeyClaims({ actors, runtime })
    expect(await claims.claim('key', 'mbx_1')).toBe(true)
    expect(await new KeyClaims({ actors, runtime }).mailboxOf('key')).toBe('mbx_1')
    expect(await new KeyClaims({ actors, runtime }).claim('key', 'mbx_2')).toBe(false)
    await service.close()
  })
})

describe('the rate of items', () => {
  it('is asked across nodes when there is room again', async () => {
    const service = await serviceOnMemory(through)
    const { tenant } = await furnished(service)
    const ports = { ...service.useCases, offerItemsPerMinute: 5 }
    const taken = {
      type: 'TakeOfferItems',
      atMs: service.runtime.now(),
      tenant,
      items: 4,
      itemsPerMinute: 5,
    } as const
    await service.actors.ask(itemRateOf(tenant), taken, { commandId: 'take', tenant })
    expect(await waitForRoomMs(ports, tenant, 1)).toBe(0)
    expect(await waitForRoomMs(ports, tenant, 2)).toBeGreaterThan(0)
    await service.close()
  })
})

describe('every kind of actor', () => {
  it('was asked and read across nodes', () => {
    const wanted = kinds.flatMap(({ prefix }) => [`ask ${prefix}`, `read ${prefix}`])
    const never = wanted.filter((each) => !seen.has(each))
    // Checks are read where an organisation is deleted, claims never, lockouts where a process has just begun to count.
    const kindsNotRead = [faceCheck, idempotencyClaim, signInLockout]
    expect(never).toEqual(kindsNotRead.map(({ prefix }) => `read ${prefix}`))
  })
})
