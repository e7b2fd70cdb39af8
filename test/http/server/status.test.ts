import { expect, it } from 'vitest'
import { reasonPhrase, statusLine } from '../../../src/http/server/status.ts'

it('a status has its phrase, and an odd one has a phrase too', () => {
  expect([200, 404, 799].map(reasonPhrase)).toEqual(['OK', 'Not Found', 'Unknown'])
  expect([statusLine(404), statusLine(404)]).toEqual(['404 Not Found', '404 Not Found'])
})
