import { expect, it } from 'vitest'
import { newRequestId } from '../../../src/http/server/request-id.ts'

it('a request id is new each time and safe in a header and a log', () => {
  const ids = Array.from({ length: 1_000 }, newRequestId)
  expect(new Set(ids).size).toBe(1_000)
  expect(ids.every((id) => /^req_[0-9a-f]{28}$/.test(id))).toBe(true)
})
