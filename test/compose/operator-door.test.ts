import { describe, expect, it } from 'vitest'
import { AskFailed } from '../../src/ports/actors.ts'
import { operatorDoor } from '../../src/compose/operator-door.ts'

const door = operatorDoor('right', async (name, input) => {
  if (name === 'away') throw new AskFailed('unavailable', 'x', 1)
  return name === 'echo' ? { input } : { refused: 'not_found', reason: 'No such command.' }
})
const send = (body: unknown, authorization = 'Bearer right') =>
  door(authorization, typeof body === 'string' ? body : JSON.stringify(body))

describe('an order of the operator', () => {
  it('is carried out for whoever has the token', async () => {
    expect(await send({ command: 'echo', input: 1 })).toEqual({ status: 200, body: '{"input":1}' })
    expect((await send({ command: 'echo' }, 'Bearer wrong')).status).toBe(401)
  })

  it.each([
    [400, 'no json'],
    [400, {}],
    [404, { command: 'x' }],
    [503, { command: 'away' }],
  ])('is answered with %i for %j', async (status, body) => {
    expect((await send(body)).status).toBe(status)
  })
})
