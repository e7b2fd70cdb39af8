import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Fixture, fixtureNames, readFixture } from '../anoncreds/verifier-fixtures.ts'
import { backends } from './backends.ts'
import { startFixtureLedger } from './fixture-ledger.ts'
import { clockFrom } from './given-clock.ts'
import { freshFolder, type Json, WAIT } from './running-service.ts'
import { embeddedService } from './service-under-test.ts'
import { openWorld, type World } from './whole-world.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const GROUP = 'fixture'
/** After this time the wallet's ledger client gives a request up by itself. */
const LEDGER_CLIENT_PATIENCE_MS = 11_000
const { credentialDefinitionId, presentationRequest } = readFixture('honest')
const fixtureRequest = presentationRequest as {
  nonce: string
  requested_attributes: Record<string, { name: string }>
  requested_predicates: { p0: { p_value: number } }
}
/**
 * A presentation is an answer to one nonce and to one moment. The fixtures were made elsewhere, for both of theirs; so
 * the service asks with that nonce, at that time. Everything else, from the API to the webhook, is as ever.
 */
const FIXTURE_MS = fixtureRequest.requested_predicates.p0.p_value * 1_000

describe.each(backends)('the whole service on a clock that is set, on $name', (backend) => {
  const clock = clockFrom(FIXTURE_MS - HOUR_MS)
  let nonce = 0n
  const newNonce = (): string => (clock.runtime.now() === FIXTURE_MS ? fixtureRequest.nonce : `${++nonce}`)
  let ledger: Awaited<ReturnType<typeof startFixtureLedger>>
  let world: World
  let phone = ''
  const told: Record<string, readonly string[]> = {}

  beforeAll(async () => {
    ledger = await startFixtureLedger(freshFolder())
    const settings = async (folder: string) => ({ ...(await backend.settings(folder)), ...ledger.settings })
    const open = (surroundings = {}) => embeddedService(settings, surroundings)
    world = await openWorld({ name: backend.name, open }, { runtime: clock.runtime, newNonce })
    phone = await world.connectPhone()
  })
  afterAll(async () => {
    await world?.close()
    await ledger?.close()
  })

  /** A node of a cluster takes a jump for a time in which it was suspended, and is silent until its next renewal. */
  const hold = async (atMs: number): Promise<void> => {
    clock.hold(atMs)
    const { send } = world.service
    await vi.waitFor(async () => expect((await send('GET', '/v1/connections')).status).toBe(200), WAIT)
  }

  const waiting = async (): Promise<readonly [string, string]> => {
    const ids = [await world.offer(phone, 'Nobody'), await world.request(phone)] as const
    await vi.waitFor(() => {
      expect(world.phoneSaw(ids[0])).toContain('offer-received')
      expect(world.phoneSaw(ids[1])).toContain('request-received')
    }, WAIT)
    told[ids[0]] = ['offer-sent', 'abandoned']
    told[ids[1]] = ['request-sent', 'abandoned']
    return ids
  }
  const createdMs = (record: Json): number => Date.parse(String(record['createdAt']))

  // The first of all: a wallet keeps what it has once read.
  it('issues to a wallet that could not read the ledger, when the ledger is back', async () => {
    await ledger.close()
    const id = await world.offer(phone, 'Patient')
    await vi.waitFor(() => expect(world.phoneSaw(id)).toContain('offer-received'), WAIT)
    await new Promise((resolve) => setTimeout(resolve, LEDGER_CLIENT_PATIENCE_MS))
    await ledger.reopen()
    await world.credential(id, 'done')
    expect((await world.phone.credentials()).map(({ attributes }) => attributes['name'])).toEqual(['Patient'])
    told[id] = ['offer-sent', 'request-received', 'credential-issued', 'done']
  })

  describe('asked with the nonce of the fixtures', () => {
    let liar = ''
    let templateId = ''

    beforeAll(async () => {
      liar = await world.connectDishonest()
      const { tenant, order } = world.service
      const attributes = Object.values(fixtureRequest.requested_attributes).map(({ name }) => name)
      const groups = [{ name: GROUP, credentialDefinitionIds: [credentialDefinitionId], attributes }]
      const template = { tenant, name: 'Fixture', description: null, groups, predicates: [] }
      templateId = String((await order('template create', template))['id'])
    })

    it.each(fixtureNames)('believes of the presentations only the honest one: %s', async (name) => {
      const fixture = readFixture(name)
      world.format.cheat = { instead: answering(fixture) }
      await hold(FIXTURE_MS)
      const id = await world.request(liar, templateId)
      clock.run()
      const proof = await world.proof(id, 'done')
      const disclosed = { [GROUP]: { attr0: 'value of attr0', attr1: 'value of attr1' } }
      const expected =
        fixture.expect === 'accepted' ? { verified: true, disclosed } : { verified: false, disclosed: {} }
      expect(proof).toMatchObject(expected)
      told[id] = ['request-sent', 'presentation-received', 'done']
    })
  })

  it('abandons what a holder leaves unanswered for 24 hours, and not a minute before', async () => {
    await world.phone.decide({ offers: 'ignore', proofs: 'ignore' })
    const [olderOffer, olderRequest] = await waiting()
    await hold(clock.runtime.now() + 2 * MINUTE_MS)
    clock.run()
    const [offer, request] = await waiting()
    const offered = await world.credential(offer, 'offer-sent')
    const asked = await world.proof(request, 'request-sent')
    await hold(createdMs(offered) + DAY_MS - MINUTE_MS)
    // That these two are over shows that the service has looked what is due.
    await world.credential(olderOffer, 'abandoned')
    await world.proof(olderRequest, 'abandoned')
    await world.credential(offer, 'offer-sent')
    await world.proof(request, 'request-sent')
    await hold(createdMs(asked) + DAY_MS)
    const errorMessage = 'The holder did not answer within 24 hours.'
    expect(await world.credential(offer, 'abandoned')).toMatchObject({ errorMessage })
    expect(await world.proof(request, 'abandoned')).toMatchObject({ errorMessage, verified: null })
    clock.run()
    // The wallet is told too.
    await vi.waitFor(() => expect(world.phoneSaw(offer).join()).toMatch(/abandoned|declined/), WAIT)
  })

  it('tells all of it by webhooks, each once', async () => {
    const { receiver } = world
    await vi.waitFor(() => {
      for (const [id, path] of Object.entries(told)) expect([id, world.toldOf(id)]).toEqual([id, path])
    }, WAIT)
    expect(Object.keys(told)).toHaveLength(fixtureNames.length + 5)
    expect(receiver.refused).toEqual([])
  })
})

/** The fixture's proof under the names of our request: which question it answers is the wallet's word and not signed. */
const answering = ({ presentation }: Fixture): object => {
  const { requested_proof, ...rest } = presentation as {
    requested_proof: { revealed_attrs: Record<string, { raw: string; encoded: string }> }
  }
  const { revealed_attrs } = requested_proof
  const values = Object.fromEntries(
    Object.entries(fixtureRequest.requested_attributes).map(([referent, { name }]) => {
      const { raw, encoded } = revealed_attrs[referent] ?? { raw: '', encoded: '' }
      return [name, { raw, encoded }]
    }),
  )
  const found = {
    ...requested_proof,
    revealed_attrs: {},
    // The expiry, and its bound: the issuer is another one.
    predicates: { [`${GROUP}.0`]: { sub_proof_index: 0 }, [`${GROUP}.1`]: { sub_proof_index: 0 } },
  }
  return {
    ...rest,
    requested_proof: { ...found, revealed_attr_groups: { [GROUP]: { sub_proof_index: 0, values } } },
  }
}
