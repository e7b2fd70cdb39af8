import { describe, expect, it } from 'vitest'
import { CorrespondentGone, correspondentOf } from '../../../src/actors/exchanges/correspondents.ts'
import type { Actors } from '../../../src/actors/ports.ts'

const answering = (reply: unknown): Actors => ({
  ask: <Reply>() => Promise.resolve(reply as Reply),
  askTogether: () => Promise.resolve([]),
})
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
})
