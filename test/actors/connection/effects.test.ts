import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ExchangeWorld } from '../exchange-world.ts'
import { connect, connectionId, exchangeWorld, invitationId } from '../exchange-world.ts'
import { eventually } from '../../eventually.ts'

let at: ExchangeWorld
beforeEach(async () => {
  at = await exchangeWorld()
})
afterEach(() => at.close())

describe('the actor of a connection', () => {
  it('answers the handshake with the invitation’s key, and is completed by the wallet', async () => {
    await connect(at)
    const { connection } = await at.ask<{ connection: { status: string } }>(connectionId, {
      type: 'ReadConnection',
    })
    expect(connection.status).toBe('completed')
    await eventually(() => expect(at.sent).toHaveLength(1))
    expect(at.sent[0]?.facts).toMatchObject({ connectionId, invitationId, invitationSeed: 's' })
  })
})
