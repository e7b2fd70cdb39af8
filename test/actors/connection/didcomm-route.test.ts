import { describe, expect, it } from 'vitest'
import { didcommRoute } from '../../../src/actors/connection/didcomm-route.ts'
import { callRoute } from '../../http/routes/call-route.ts'

const post = (type: string, body = '{"protected":"x"}') =>
  callRoute(
    [didcommRoute(async (address, text) => (address === 'con_1' && text === body ? 'accepted' : 'refused'))],
    'POST',
    body === '' ? '/didcomm/con_2' : '/didcomm/con_1',
    body,
    type,
  )

describe('the endpoint of wallets', () => {
  it('takes both content types, with or without parameters', async () => {
    expect(await post('application/didcomm-envelope-enc')).toMatchObject({ status: 202, text: '' })
    expect((await post('application/ssi-agent-wire; charset=utf-8')).status).toBe(202)
  })

  it('refuses what nobody here can read, and what is no envelope', async () => {
    expect((await post('application/ssi-agent-wire', '')).status).toBe(400)
    expect((await post('application/json')).status).toBe(415)
  })
})
