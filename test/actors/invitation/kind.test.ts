import { afterAll, describe, expect, it } from 'vitest'
import { connect, exchangeWorld, invitationId } from '../exchange-world.ts'

const at = await exchangeWorld()
await connect(at)
afterAll(() => at.close())

describe('the actor of an invitation', () => {
  it('remembers its winner across a restart', async () => {
    await at.ask(invitationId, { type: 'AdmitHolder', atMs: 2, connectionId: 'con_1' })
    await at.restart()
    expect(await at.ask(invitationId, { type: 'AdmitHolder', atMs: 3, connectionId: 'con_2' })).toMatchObject(
      {
        refused: 'connection_not_ready',
      },
    )
  })
})
