import { actorsThat } from '../../host/parts/actors-that.ts'
import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../../src/host/runtime.ts'
import { askBesideConnection } from '../../../src/actors/connection/ask-beside-connection.ts'

const answering = (replies: readonly unknown[]) => {
  const actors = actorsThat({
    ask: () => Promise.reject(new Error()),
    askTogether: () => Promise.resolve(replies),
  })
  const ports = { actors, runtime: createRuntime(), askTimeoutMs: 1 }
  const of = { tenant: 't', connectionId: 'con_00aaaaaaaaaa' }
  return askBesideConnection(ports, of, { actor: 'cre_00aaaaaaaaaa', command: {} })
}

describe('an exchange beside its connection', () => {
  it('answers what the exchange said', async () => {
    expect(await answering([{ connection: {} }, { credential: 1 }])).toEqual({ credential: 1 })
  })

  it('is refused with the connection, in words about the connection', async () => {
    expect(await answering([{ refused: 'connection_not_ready', reason: 'r' }])).toMatchObject({
      refused: 'connection_not_ready',
    })
    expect(await answering([{ refused: 'not_found', reason: 'r' }])).toMatchObject({
      refused: 'connection_not_found',
    })
  })
})
