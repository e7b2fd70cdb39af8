import { describe, expect, it } from 'vitest'
import {
  RecipientGone,
  bestEffort,
  hostOf,
  recipientOf,
  writeToHolder,
} from '../../../src/actors/connection/for-exchanges.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { RecipientBusy } from '../../../src/host/effects/not-begun.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const answering = (record: unknown) => actorsThat({ read: () => record })
const service = { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] }

describe('whom a connection writes to', () => {
  it('is what the connection says', async () => {
    const actors = answering({ theirService: service, ownSeed: 'seed' })
    expect(await recipientOf(actors, 'con_1')).toEqual({ service, ownSeed: 'seed' })
  })

  it('is nobody when the connection is unknown or erased', async () => {
    for (const record of [refuse('not_found', 'r'), { theirService: null, ownSeed: null }]) {
      await expect(recipientOf(answering(record), 'con_1')).rejects.toThrow(RecipientGone)
    }
  })

  it('is asked again after waiting for a turn, because it may be erased by then', async () => {
    const connection = { theirService: service as typeof service | null, ownSeed: 'seed' }
    const lines: string[] = []
    const forward = (recipient: string): Promise<void> => {
      lines.push(recipient)
      connection.theirService = null
      return Promise.resolve()
    }
    const done: string[] = []
    const ports = {
      actors: actorsThat({ read: () => ({ ...connection }) }),
      deliver: async () => void done.push('delivered'),
      runtime: createRuntime(),
    }
    const context = { actor: 'cre_1', signal: new AbortController().signal, forward }
    const compose = () => {
      done.push('composed')
      return 'message'
    }
    await expect(writeToHolder(ports, 'con_1', context, compose)).rejects.toThrow(RecipientGone)
    expect([lines, done]).toEqual([['wallet.example'], []])
  })

  it('stands in line by the host of its endpoint', () => {
    expect(hostOf({ ...service, endpoint: 'https://Mediator.example:8443/a?b' })).toBe(
      'mediator.example:8443',
    )
    expect(hostOf({ ...service, endpoint: 'nonsense' })).toBe('nonsense')
  })
})

describe('an attempt at what the holder merely should know', () => {
  it('is over when it succeeds and when it fails', async () => {
    await expect(bestEffort(Promise.resolve())).resolves.toBeUndefined()
    await expect(bestEffort(Promise.reject(new Error('away')))).resolves.toBeUndefined()
  })

  it('was none when its turn did not come', async () => {
    await expect(bestEffort(Promise.reject(new RecipientBusy(5_000)))).rejects.toThrow(RecipientBusy)
  })
})
