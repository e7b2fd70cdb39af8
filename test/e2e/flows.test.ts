import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Cheat, Presentation, Request } from '../../sdk/wallet/dishonest-proof-format.ts'
import { type Json, WAIT } from './running-service.ts'
import { placesUnderTest } from './service-under-test.ts'
import { openWorld, type World } from './whole-world.ts'

const OUTLIVED_MS = 2_500

describe.each(placesUnderTest)('the whole service on $name', (place) => {
  let world: World
  let honest = ''
  let dishonest = ''
  const told: Record<string, readonly string[]> = {}

  beforeAll(async () => {
    world = await openWorld(place)
    honest = await world.connectPhone()
    dishonest = await world.connectDishonest()
    for (const id of [honest, dishonest]) told[id] = ['request-received', 'response-sent', 'completed']
  })
  afterAll(() => world?.close())

  const issued = async (connectionId: string, name: string, expiresInSeconds?: number): Promise<void> => {
    const id = await world.offer(connectionId, name, expiresInSeconds)
    await world.credential(id, 'done')
    told[id] = ['offer-sent', 'request-received', 'credential-issued', 'done']
  }

  const answered = async (connectionId: string, cheat: Cheat, template?: string): Promise<Json> => {
    world.format.cheat = cheat
    const id = await world.request(connectionId, template)
    told[id] = ['request-sent', 'presentation-received', 'done']
    return world.proof(id, 'done')
  }

  it('verifies nothing of a credential that has expired', async () => {
    await issued(honest, 'Short', 2)
    await issued(dishonest, 'Short', 2)
    await new Promise((resolve) => setTimeout(resolve, OUTLIVED_MS))
    const id = await world.request(honest)
    await vi.waitFor(() => expect(world.phoneSaw(id).join()).toMatch(/failed/), WAIT)
    expect(await world.proof(id, 'request-sent')).toMatchObject({ verified: null })
    told[id] = ['request-sent']
    expect(await answered(dishonest, { request: antedate })).toMatchObject(notBelieved)
  })

  it('issues to a wallet, which holds what was offered', async () => {
    await issued(honest, 'Ada')
    const held = await world.phone.credentials()
    expect(held.map(({ attributes }) => attributes['name'])).toContain('Ada')
  })

  it('verifies a proof and learns what was asked and nothing else', async () => {
    const id = await world.request(honest)
    expect(await world.proof(id, 'done')).toMatchObject({
      verified: true,
      disclosed: { person: { name: 'Ada' } },
    })
    await vi.waitFor(() => expect(world.phoneSaw(id)).toContain('done'), WAIT)
    told[id] = ['request-sent', 'presentation-received', 'done']
  })

  it('takes no for an answer', async () => {
    await world.phone.decide({ offers: 'decline', proofs: 'decline' })
    const [offered, asked] = [await world.offer(honest, 'Bob'), await world.request(honest)]
    expect(await world.credential(offered, 'declined')).toMatchObject({ connectionId: honest })
    expect(await world.proof(asked, 'declined')).toMatchObject({ verified: null })
    await world.phone.decide({ offers: 'accept', proofs: 'accept' })
    told[offered] = ['offer-sent', 'declined']
    told[asked] = ['request-sent', 'declined']
  })

  it('takes a proposal for a no, and the wallet hears so', async () => {
    await world.phone.decide({ offers: 'propose', proofs: 'propose' })
    const [offered, asked] = [await world.offer(honest, 'Bob'), await world.request(honest)]
    const errorMessage = 'The holder proposed something else.'
    expect(await world.credential(offered, 'declined')).toMatchObject({ connectionId: honest, errorMessage })
    expect(await world.proof(asked, 'declined')).toMatchObject({ verified: null, errorMessage })
    for (const id of [offered, asked])
      await vi.waitFor(
        () => expect(world.phoneSaw(id).slice(-2)).toEqual(['proposal-sent', 'abandoned']),
        WAIT,
      )
    await world.phone.decide({ offers: 'accept', proofs: 'accept' })
    told[offered] = ['offer-sent', 'declined']
    told[asked] = ['request-sent', 'declined']
  })

  it('reaches a wallet that was offline, once', async () => {
    await world.phone.setOffline(true)
    const id = await world.offer(honest, 'Late')
    await vi.waitFor(() => expect(world.failedAttempts(id)).toBeGreaterThan(0), WAIT)
    await world.credential(id, 'offer-sent')
    expect(world.phoneSaw(id)).toEqual([])
    await world.phone.setOffline(false)
    await world.credential(id, 'done')
    expect(world.phoneSaw(id).filter((state) => state === 'offer-received')).toHaveLength(1)
    told[id] = ['offer-sent', 'request-received', 'credential-issued', 'done']
  })

  it('gets nothing from a wallet that has no credential of the definition asked for', async () => {
    const id = await world.request(honest, world.foreignTemplateId)
    await vi.waitFor(() => expect(world.phoneSaw(id).join()).toMatch(/failed/), WAIT)
    await world.proof(id, 'request-sent')
    told[id] = ['request-sent']
  })

  describe('refuses a presentation', () => {
    const revealed = ({ requested_proof }: Presentation) =>
      Object.values(requested_proof.revealed_attr_groups).flatMap(({ values }) => Object.values(values))
    const predicates = ({ proof }: Presentation) =>
      proof.proofs.flatMap(({ primary_proof }) => primary_proof.ge_proofs).map(({ predicate }) => predicate)
    const ofOurs = ({ requested_attributes, requested_predicates }: Request): void => {
      for (const asked of [...Object.values(requested_attributes), ...Object.values(requested_predicates)])
        asked.restrictions = [{ cred_def_id: world.ledgerId }]
    }
    const cheats: readonly (readonly [string, Cheat])[] = [
      ['whose disclosed text was changed', { presentation: (made) => revealed(made).forEach(rename) }],
      ['whose encoded value was changed', { presentation: (made) => revealed(made).forEach(recode) }],
      ['whose predicate was changed', { presentation: (made) => predicates(made).forEach(raise) }],
      ['that proves less than was asked', { request: weaken }],
      ['that leaves open whether the value is a number', { request: unbind }],
    ]

    beforeAll(() => issued(dishonest, 'Mallory'))

    it.each(cheats)('%s', async (_, cheat) => {
      expect(await answered(dishonest, cheat)).toMatchObject(notBelieved)
    })

    it('of another definition', async () => {
      const proof = await answered(dishonest, { request: ofOurs }, world.foreignTemplateId)
      expect(proof).toMatchObject(notBelieved)
    })

    it('and believes the same wallet when it is honest', async () => {
      expect(await answered(dishonest, {})).toMatchObject({ verified: true })
    })
  })

  it('tells every change by a webhook whose signature is genuine, each once and in order', async () => {
    const { receiver } = world
    const sequencesOf = (id: string): readonly number[] =>
      receiver.events.filter(({ data }) => data.id === id).map(({ data }) => data.sequence)
    await vi.waitFor(() => {
      for (const [id, path] of Object.entries(told)) expect([id, world.toldOf(id)]).toEqual([id, path])
    }, WAIT)
    for (const [id, path] of Object.entries(told))
      expect(sequencesOf(id).toSorted((one, other) => one - other)).toEqual(path.map((_, index) => index + 1))
    expect(receiver.refused).toEqual([])
    expect(receiver.events.every(({ data }) => data.id in told)).toBe(true)
  })
})

const notBelieved = { verified: false, disclosed: {} }
const rename = (value: { raw: string }): void => void (value.raw = 'Ada')
const recode = (value: { encoded: string }): void => void (value.encoded = `${BigInt(value.encoded) + 1n}`)
const raise = (predicate: { attr_name: string; value: number }): void => {
  if (predicate.attr_name === 'age') predicate.value = 17
}
const weaken = ({ requested_predicates }: Request): void => {
  for (const asked of Object.values(requested_predicates)) if (asked.p_type === '>=') asked.p_value = 3
}
const unbind = ({ requested_predicates }: Request): void => {
  for (const [referent, { p_type }] of Object.entries(requested_predicates))
    if (p_type === '<=') delete requested_predicates[referent]
}
const antedate = ({ requested_predicates }: Request): void => {
  for (const asked of Object.values(requested_predicates)) if (asked.name === 'expiresAt') asked.p_value -= 60
}
