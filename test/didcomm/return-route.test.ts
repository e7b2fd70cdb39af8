import { describe, expect, it } from 'vitest'
import { takesAnswerHere } from '../../src/didcomm/return-route.ts'

describe('a message', () => {
  it('is answered on the way that it came where its sender takes that there, for its thread at least', () => {
    const takes = (transport: unknown) =>
      takesAnswerHere({ threadId: 't', body: { '~transport': transport } })
    expect(takes({ return_route: 'all' })).toBe(true)
    expect(takes({ return_route: 'thread', return_route_thread: 't' })).toBe(true)
    for (const other of [
      undefined,
      null,
      'all',
      [],
      {},
      { return_route: 'none' },
      { return_route: true },
      { return_route: 'thread' },
      { return_route: 'thread', return_route_thread: 'u' },
    ])
      expect(takes(other)).toBe(false)
  })
})
