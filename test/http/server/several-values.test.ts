import { expect, it } from 'vitest'
import { startNodeServer } from '../../../src/http/server/node-server.ts'
import { startUwsServer } from '../../../src/http/server/uws-server.ts'
import { oneAnswer } from './one-answer.ts'

it.each([
  ['uws', startUwsServer],
  ['node', startNodeServer],
] as const)('each of several cookies has a line of its own on %s', async (_name, start) => {
  const at = { host: '127.0.0.1', target: '127.0.0.1' }
  const headers = { 'Set-Cookie': ['a=1; Path=/', 'b=2'], 'Cache-Control': 'no-store' }
  const answer = await oneAnswer(start, at, () => ({ status: 200, headers, body: 'text' }))
  expect(answer.headers['set-cookie']).toEqual(['a=1; Path=/', 'b=2'])
  expect(answer.headers['cache-control']).toBe('no-store')
})
