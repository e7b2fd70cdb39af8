import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { connection } from '../../../src/actors/connection/rules.ts'
import { didCommServiceOf } from '../../../src/didcomm/did-document.ts'
import { documentOfLongForm } from '../../../src/didcomm/peer-did.ts'
import { eventually } from '../../eventually.ts'
import {
  connect,
  connectionId,
  connectionKey,
  type ExchangeWorld,
  exchangeWorld,
  invitationId,
  invitationKey,
  publicUrl,
} from '../exchange-world.ts'

let at: ExchangeWorld
beforeEach(async () => {
  at = await exchangeWorld()
})
afterEach(() => at.close())

describe('the actor of a connection', () => {
  it('answers the handshake with the invitation’s key, and is completed by the wallet', async () => {
    await connect(at)
    expect(await at.actors.read(connection.ref(connectionId))).toMatchObject({ status: 'completed' })
    await eventually(() => expect(at.sent).toHaveLength(1))
    const [{ to, message } = { to: null, message: null }] = at.sent
    expect(to?.ownSeed).toBe(invitationKey.ownSeed)
    expect(message).toMatchObject({ threadId: 'thread', parentThreadId: invitationId })
    // The wallet writes to the connection's own address from now on.
    expect(didCommServiceOf(documentOfLongForm(String(message?.body['did'])))).toEqual({
      endpoint: `${publicUrl}/didcomm/${connectionId}`,
      recipientKeys: [connectionKey.ownKey],
      routingKeys: [],
    })
  })
})
