import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { limits } from '../../../src/domain/limits.ts'
import type { Authenticate } from '../../../src/http/callers/caller.ts'
import { createFrontDoor } from '../../../src/http/front-door/front-door.ts'
import { defineRoute, reply } from '../../../src/http/route/route.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { silentLog } from '../../silent-log.ts'
import { requestHead } from '../parts/request-head.ts'
import { plainDoor } from './plain-door.ts'

const LARGE = limits.bodyBytesMax + 1
const PLACES = limits.imageBodiesOfTenantMax
const body = new Uint8Array(LARGE)

/** The credential is the organisation; one that ends with `later` has to be looked up. */
const authenticate: Authenticate = ({ headers }) => {
  const [tenantId = '', later] = (headers.get('authorization') ?? '').split(' ')
  const caller = { kind: 'api_key', tenantId, keyId: 'k' } as const
  return later === undefined ? caller : Promise.resolve(caller)
}

const openDoor = () => {
  const waiting: (() => void)[] = []
  const route = defineRoute({
    method: 'GET',
    path: '/a',
    operationId: 'a',
    summary: 'a',
    access: { callers: ['api_key'] },
    responses: { 200: Type.Unknown() },
    errors: [],
    handle: async () => {
      await new Promise<void>((resolve) => void waiting.push(resolve))
      return reply(200, null)
    },
  })
  const metrics = createMetrics()
  const door = createFrontDoor({ ...plainDoor, routes: [route], authenticate, log: silentLog, metrics })
  return {
    begin: (authorization: string) => door.accept(requestHead({ authorization }, { path: '/a' })),
    answerAll: () => {
      for (const answer of waiting.splice(0)) answer()
    },
  }
}

type Request = ReturnType<ReturnType<typeof openDoor>['begin']>

/** As a server reads a large body: a part, and another. */
const receive = async (request: Request) => {
  expect(await request.turnAway(1)).toBeNull()
  return request.turnAway(LARGE)
}

describe('large bodies', () => {
  it.each(['t', 't later'])('of an organisation are few at once, whoever calls (%s)', async (caller) => {
    const { begin, answerAll } = openDoor()
    const held = Array.from({ length: PLACES }, () => begin(caller))
    for (const request of held) {
      expect(await receive(request)).toBeNull()
      expect(request.isLarge).toBe(true)
    }
    const refused = await receive(begin('t'))
    expect([refused?.status, refused?.close, refused?.headers['Retry-After']]).toEqual([503, true, '1'])
    expect(refused?.body).toContain('overloaded')
    expect(await receive(begin('another'))).toBeNull()
    expect(await begin('t').turnAway(limits.bodyBytesMax)).toBeNull()
    // The place is kept until the answer.
    const answers = held.map((request) => request.respond(body))
    await new Promise(setImmediate)
    expect((await receive(begin('t')))?.status).toBe(503)
    answerAll()
    for (const answer of answers) expect((await answer).status).toBe(200)
    for (const request of held.map(() => begin(caller))) expect(await receive(request)).toBeNull()
  })

  it('that came at once count as well', async () => {
    const { begin, answerAll } = openDoor()
    const answers = Array.from({ length: PLACES + 1 }, () => begin('t').respond(body))
    expect((await answers.at(-1))?.status).toBe(503)
    const small = begin('t').respond(new Uint8Array(limits.bodyBytesMax))
    await new Promise(setImmediate)
    answerAll()
    expect((await small).status).toBe(200)
    for (const answer of answers.slice(0, -1)) expect((await answer).status).toBe(200)
  })

  it('give their places back when their callers go away before the end', async () => {
    const { begin } = openDoor()
    for (let round = 0; round < 3; round++) {
      const held = Array.from({ length: PLACES }, () => begin('t'))
      for (const request of held) expect(await receive(request)).toBeNull()
      for (const request of held) request.aborted()
    }
  })

  it('give their places back when they are refused while they are read', async () => {
    const { begin } = openDoor()
    for (let round = 0; round < 3 * PLACES; round++) {
      const request = begin('t')
      expect(await receive(request)).toBeNull()
      request.refuse('body_too_large')
      request.aborted()
    }
  })
})
