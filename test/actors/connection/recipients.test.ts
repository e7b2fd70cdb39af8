import { actorsThat } from '../../host/parts/actors-that.ts'
import { describe, expect, it } from 'vitest'
import { CorrespondentGone, correspondentOf, recipientOf } from '../../../src/actors/connection/recipients.ts'

const answering = (reply: unknown) => actorsThat({ ask: () => Promise.resolve(reply) })
const service = { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] }

describe('whom a connection writes to', () => {
  it('is what the connection says', async () => {
    const actors = answering({ connection: { theirService: service, ownSeed: 'seed' } })
    expect(await correspondentOf(actors, 'con_1')).toEqual({ service, ownSeed: 'seed' })
  })

  it('is nobody when the connection is unknown or erased', async () => {
    for (const reply of [{ refused: 'not_found' }, { connection: { theirService: null, ownSeed: null } }]) {
      await expect(correspondentOf(answering(reply), 'con_1')).rejects.toThrow(CorrespondentGone)
    }
  })

  it('is asked again after waiting for a turn, because it may be erased by then', async () => {
    const connection = { theirService: service as typeof service | null, ownSeed: 'seed' }
    const lines: string[] = []
    const forward = (recipient: string): Promise<void> => {
      lines.push(recipient)
      connection.theirService = null
      return Promise.resolve()
    }
    const actors = actorsThat({
      ask: () => Promise.resolve({ connection: { ...connection } }),
    })
    await expect(correspondentOf(actors, 'con_1', forward)).rejects.toThrow(CorrespondentGone)
    expect(lines).toEqual(['wallet.example'])
  })

  it('stands in line by the host of its endpoint', () => {
    expect(recipientOf({ ...service, endpoint: 'https://Mediator.example:8443/a?b' })).toBe(
      'mediator.example:8443',
    )
    expect(recipientOf({ ...service, endpoint: 'nonsense' })).toBe('nonsense')
  })
})
