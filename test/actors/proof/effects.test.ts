import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proof } from '../../../src/actors/proof/rules.ts'
import { HOLDER_WAIT_MS } from '../../../src/domain/exchange.ts'
import { OLD_PREFIX } from '../../../src/domain/message-prefix.ts'
import type { ExchangeWorld } from '../exchange-world.ts'
import { connect, connectionId, exchangeWorld, issuing, proofId, tenant } from '../exchange-world.ts'
import { eventually } from '../../eventually.ts'

let at: ExchangeWorld
beforeEach(async () => {
  at = await exchangeWorld()
  await connect(at)
  await at.ask(proofId, {
    type: 'RequestProof',
    atMs: at.runtime.now(),
    tenant,
    connectionId,
    externalId: null,
    proofTemplateId: 'tpl_00aaaaaaaa',
    threadId: proofId,
    request: JSON.stringify({
      requested_attributes: { person: { names: ['name'] } },
      requested_predicates: { 'person.0': {} },
    }),
  })
})
afterEach(() => at.close())

const present = async (presentation: unknown) =>
  at.ask(proofId, {
    type: 'ReceivePresentation',
    atMs: at.runtime.now(),
    from: connectionId,
    prefix: OLD_PREFIX,
    presentation: await at.keep(proofId, JSON.stringify(presentation)),
  })
const honest = {
  identifiers: [{ schema_id: 's', cred_def_id: 'd' }],
  requested_proof: {
    revealed_attr_groups: {
      person: { sub_proof_index: 0, values: { name: { raw: 'Ada' }, salary: { raw: '9' } } },
    },
    predicates: { 'person.0': { sub_proof_index: 0 } },
  },
}
const mixed = {
  ...honest,
  requested_proof: { ...honest.requested_proof, predicates: { 'person.0': { sub_proof_index: 1 } } },
}
const outcome = () => at.actors.read(proof.ref(proofId))

describe('the actor of a proof exchange', () => {
  it('asks, verifies, takes over what was asked for, and says thank you', async () => {
    await eventually(() =>
      expect(at.sent.at(-1)?.message.type).toBe('present-proof/2.0/request-presentation'),
    )
    await present(honest)
    await eventually(() => expect(at.sent.at(-1)?.message.type).toBe('present-proof/2.0/ack'))
    expect(await outcome()).toMatchObject({
      status: 'done',
      verified: true,
      disclosed: { person: { name: 'Ada' } },
    })
  })

  it('verifies with the private part what its own organisation issued, and what others issued without', async () => {
    const [own, foreign] = [issuing.ledgerId, 'E:3:CL:2:default']
    const identifiers = [own, foreign].map((cred_def_id) => ({ schema_id: 's', cred_def_id }))
    await present({ ...honest, identifiers })
    await eventually(async () => expect(await outcome()).toMatchObject({ verified: true }))
    expect(at.world.verifications).toMatchObject([
      {
        credentialDefinitions: { [own]: issuing.publicPart, [foreign]: '{}' },
        privates: { [own]: '{"private":1}' },
      },
    ])
    expect(Object.keys(at.world.verifications[0]?.privates ?? {})).toEqual([own])
  })

  it.each([
    ['the cryptography says no', { verified: false }, honest],
    ['the issuer is not on the ledger', { issuerKnown: false }, honest],
    ['another credential answers for the expiry', {}, mixed],
    ['it says nothing about its credentials', {}, { requested_proof: {} }],
    ['it is not even a presentation', {}, 'nonsense'],
  ])('takes nothing over when %s', async (_why, settings, presentation) => {
    Object.assign(at.world, settings)
    await present(presentation)
    await eventually(async () =>
      expect(await outcome()).toMatchObject({ status: 'done', verified: false, disclosed: {} }),
    )
  })
})

describe('the ack of a proof', () => {
  const [REQUEST, ACK] = ['present-proof/2.0/request-presentation', 'present-proof/2.0/ack']
  const acks = () => at.sent.filter(({ message }) => message.type === ACK).map(({ message }) => message)
  const asked = () => eventually(() => expect(at.world.attempts[REQUEST]).toBe(1))
  const lastWord = async (): Promise<unknown> =>
    ((await outcome()) as Record<string, unknown>)['lastWord'] ?? 'none'
  const nextAtMs = async (): Promise<unknown> => ((await lastWord()) as Record<string, unknown>)['nextAtMs']
  /** Time goes by, and what is due begins. */
  const pass = async (ms: number): Promise<void> => {
    at.runtime.forward(ms)
    await setTimeout(20)
  }

  it('is tried until the wallet takes it, in the prefix of the wallet, and never again', async () => {
    await asked()
    at.world.walletAway = true
    await present(honest)
    await eventually(() => expect(at.world.attempts[ACK]).toBe(1))
    expect(await lastWord()).not.toBe('none')
    at.world.walletAway = false
    await pass(10_000)
    await eventually(async () => expect(await lastWord()).toBe('none'))
    expect(acks()).toMatchObject([{ id: `${proofId}.ack`, prefix: OLD_PREFIX, threadId: proofId }])
    await at.restart()
    await pass(HOLDER_WAIT_MS)
    expect(acks()).toHaveLength(1)
  })

  it('comes once more with the same id when a crash came between', async () => {
    await asked()
    at.world.afterSending = (type) => (type === ACK ? new Promise(() => undefined) : Promise.resolve())
    await present(honest)
    await eventually(() => expect(acks()).toHaveLength(1))
    at.world.afterSending = () => Promise.resolve()
    await at.crash()
    await eventually(async () => expect(await lastWord()).toBe('none'))
    expect(acks().map(({ id }) => id)).toEqual([`${proofId}.ack`, `${proofId}.ack`])
    expect(at.world.sendings[ACK]?.size).toBe(1)
  })

  it('is tried six times in a day and given up, however often the service starts meanwhile', async () => {
    await asked()
    at.world.walletAway = true
    await present(honest)
    await eventually(() => expect(at.world.attempts[ACK]).toBe(1))
    const [minute, hour] = [60_000, 3_600_000]
    let passedMs = 0
    for (const [made, plannedMs] of [10_000, 5 * minute, 70 * minute, 8 * hour, 20 * hour].entries()) {
      await eventually(async () => expect(await nextAtMs()).toBeTypeOf('number'))
      await at.restart()
      await outcome()
      expect(at.world.attempts[ACK]).toBe(made + 1)
      await pass(plannedMs - passedMs)
      passedMs = plannedMs
      await eventually(() => expect(at.world.attempts[ACK]).toBe(made + 2))
    }
    await eventually(async () => expect(await lastWord()).toBe('none'))
    expect(at.world.sendings[ACK]?.size).toBe(1)
    at.world.walletAway = false
    await pass(HOLDER_WAIT_MS)
    expect([acks(), at.world.attempts[ACK]]).toEqual([[], 6])
  })
})
