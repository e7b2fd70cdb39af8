import { expect, it } from 'vitest'
import type { AnyRequest, Route } from '../../../src/http/route/route.ts'
import { runIdempotent } from '../../../src/http/route/run-idempotent.ts'

it('the id of a record is new for sure only where no Idempotency-Key can bring it again', async () => {
  const handled: unknown[] = []
  const route = {
    method: 'POST',
    path: '/v1/things',
    access: { callers: ['api_key'] },
    responses: { 202: {} },
    idempotency: { newRecordId: () => 'thing_1', showRecord: () => null },
    handle: async ({ recordId, isRecordNew }: AnyRequest) => {
      handled.push([recordId, isRecordNew])
      return { status: 202, body: {} }
    },
  } as unknown as Route
  const send = (headers: Map<string, string>) => {
    const caller = { kind: 'api_key', tenantId: 'ten_1' }
    const request = { caller, params: {}, query: {}, body: {}, head: { headers }, longText: null }
    return runIdempotent(route, request as unknown as AnyRequest, null, async (_, work) => {
      const answer = await work.run(work.newRecordId(), 'run')
      return { is: 'answer', answer, isReplayed: false }
    })
  }
  await send(new Map())
  await send(new Map([['idempotency-key', 'one']]))
  expect(handled).toEqual([
    ['thing_1', true],
    ['thing_1', undefined],
  ])
})
