import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proof } from '../../../src/actors/proof/rules.ts'
import { OLD_PREFIX } from '../../../src/domain/message-prefix.ts'
import { eventually } from '../../eventually.ts'
import {
  connect,
  connectionId,
  exchangeWorld,
  proofId,
  tenant,
  type ExchangeWorld,
} from '../exchange-world.ts'

const ACK = 'present-proof/2.0/ack'

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
    request: '{"requested_attributes":{},"requested_predicates":{}}',
  })
})
afterEach(() => at.close())

const outcome = () => at.actors.read(proof.ref(proofId))
const present = async () => {
  const text = JSON.stringify({ identifiers: [{ schema_id: 's', cred_def_id: 'd' }] })
  const presentation = await at.keep(proofId, text)
  const from = { atMs: at.runtime.now(), from: connectionId, prefix: OLD_PREFIX }
  return at.ask(proofId, { type: 'ReceivePresentation', ...from, presentation })
}
const isDone = () => eventually(async () => expect(await outcome()).toMatchObject({ status: 'done' }))
const nothingIsKept = () => eventually(() => expect(at.bodies.kept.size).toBe(0))

describe('the presentation of a proof', () => {
  it('is kept until it is verified, and not until the wallet has heard so', async () => {
    at.world.walletAway = true
    await present()
    expect(at.bodies.kept.size).toBe(1)
    await isDone()
    await nothingIsKept()
    await eventually(() => expect(at.world.attempts[ACK]).toBe(1))
  })

  it('is verified after a kill that came before, and goes after one that came behind', async () => {
    const computing = Promise.withResolvers<undefined>()
    at.world.whileComputing = () => {
      computing.resolve(undefined)
      return new Promise(() => undefined)
    }
    await present()
    await computing.promise
    at.world.whileComputing = () => Promise.resolve(undefined)
    await at.crash()
    at.bodies.keepOnly = () => Promise.reject(new Error('cut off'))
    await isDone()
    await eventually(() => expect(at.faults().map(({ during }) => during)).toContain('body'))
    expect(at.bodies.kept.size).toBe(1)
    // @ts-expect-error: the method of the class is there again.
    delete at.bodies.keepOnly
    await at.crash()
    await nothingIsKept()
  })

  it('goes with a refusal of the holder', async () => {
    await at.keep(proofId, 'of a message whose command never came')
    const from = { atMs: at.runtime.now(), from: connectionId, prefix: OLD_PREFIX }
    await at.ask(proofId, { type: 'ReceiveProofProblem', ...from, code: 'abandoned', text: 'No' })
    await nothingIsKept()
    expect(await outcome()).toMatchObject({ status: 'declined' })
  })
})
