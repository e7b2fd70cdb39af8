import { describe, expect, it } from 'vitest'
import { createExchange } from '../../../src/actors/connection/for-exchanges.ts'
import { credential } from '../../../src/actors/credential/rules.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const answering = (answer: unknown, connectionId = 'con_00aaaaaaaaaa') => {
  const ports = { actors: actorsThat({ askAtomically: () => Promise.resolve(answer) }) }
  const command = { type: 'RecordOfferDelivered', atMs: 1 } as const
  return createExchange(ports, { tenant: 't', connectionId }, credential.ref('cre_00aaaaaaaaaa'), command)
}

describe('an exchange beside its connection', () => {
  it('answers what the exchange said', async () => {
    expect(await answering([{ status: 'completed' }, { status: 'offer-sent' }])).toEqual({
      status: 'offer-sent',
    })
  })

  it('is refused with the connection, in words about the connection', async () => {
    expect(await answering(refuse('connection_not_ready', 'r'))).toMatchObject({
      refused: 'connection_not_ready',
    })
    expect(await answering(refuse('not_found', 'r'))).toMatchObject({ refused: 'connection_not_found' })
    expect(await answering([], 'nonsense')).toMatchObject({ refused: 'connection_not_found' })
  })
  it('begins with the order where its id was made for it, and may be there already where it was not', async () => {
    const asked: unknown[] = []
    const actors = actorsThat({
      askAtomically: async (_: unknown, options: unknown) => (asked.push(options), [{}, {}]),
    })
    const [id, command] = ['cre_00aaaaaaaaaa', { type: 'RecordOfferDelivered', atMs: 1 } as const]
    const order = { tenant: 't', connectionId: 'con_00aaaaaaaaaa' }
    await createExchange({ actors }, { ...order, isNew: true }, credential.ref(id), command)
    await createExchange({ actors }, order, credential.ref(id), command)
    const options = { commandId: `create:${id}`, tenant: 't' }
    expect(asked).toEqual([{ ...options, begins: id }, options])
  })
})
