import { describe, expect, it } from 'vitest'
import {
  RecipientGone,
  attemptLastWord,
  hostOf,
  laneTo,
  recipientOf,
  unlessErased,
  writeOpening,
  writeToHolder,
} from '../../../src/actors/connection/for-exchanges.ts'
import { credential } from '../../../src/actors/credential/rules.ts'
import { refuse } from '../../../src/domain/decider.ts'
import { EgressRefused } from '../../../src/egress/failures.ts'
import { EffectNotBegun, RecipientBusy } from '../../../src/host/effects/not-begun.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'

const answering = (record: unknown) => actorsThat({ read: () => record })
const service = { endpoint: 'https://wallet.example', recipientKeys: ['k'], routingKeys: [] }

describe('whom a connection writes to', () => {
  it('is what the connection says', async () => {
    const actors = answering({ theirService: service, ownSeed: 'seed' })
    expect(await recipientOf(actors, 'con_1')).toEqual({ service, ownSeed: 'seed', seen: {} })
  })

  it('is nobody any more once its wallet has hung up', async () => {
    const hungUp = { theirService: service, ownSeed: 'seed', status: 'closed', closing: { by: 'holder' } }
    await expect(recipientOf(answering(hungUp), 'con_1')).rejects.toThrow(RecipientGone)
  })

  it.each([
    [undefined, undefined, 'anoncreds', 30_007],
    [undefined, 'hlindy', 'hlindy', null],
    [['hlindy'], undefined, 'hlindy', null],
    [['anoncreds', 'hlindy'], undefined, 'anoncreds', null],
    // It was seen to know it 30 days ago, and may have been changed since.
    [['hlindy'], undefined, 'anoncreds', 30_007, 7 - 30 * 86_400_000],
    [['anoncreds'], undefined, 'anoncreds', 30_007, 7 - 30 * 86_400_000],
    [['hlindy'], undefined, 'hlindy', null, 8 - 30 * 86_400_000],
  ] as const)(
    'is written to in a format that it knows: %s, %s',
    async (formats, format, written, otherAtMs, formatsAtMs: number = 0) => {
      const sent: string[] = []
      const ports = {
        actors: answering({ theirService: service, ownSeed: 'seed', formats, formatsAtMs }),
        deliver: async (_: unknown, message: string) => void sent.push(message),
        runtime: { ...createRuntime(), now: () => 7 },
      }
      const context = {
        actor: 'cre_1',
        effectId: 'offer',
        signal: new AbortController().signal,
        forward: () => null,
      }
      const opening = { connectionId: 'con_1', ...(format && { format }) }
      expect(await writeOpening(ports, opening, context, (chosen) => chosen)).toBe(otherAtMs)
      expect(sent).toEqual([written])
    },
  )

  it('is nobody when the connection is unknown or erased', async () => {
    for (const record of [refuse('not_found', 'r'), { theirService: null, ownSeed: null }]) {
      await expect(recipientOf(answering(record), 'con_1')).rejects.toThrow(RecipientGone)
    }
  })

  it('is nobody yet once it is closed and not erased', async () => {
    const closed = { theirService: service, ownSeed: 'seed', status: 'closed' }
    await expect(recipientOf(answering(closed), 'con_1')).rejects.toThrow(EffectNotBegun)
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
    const context = { actor: 'cre_1', effectId: 'offer', signal: new AbortController().signal, forward }
    const compose = () => {
      done.push('composed')
      return 'message'
    }
    await expect(writeToHolder(ports, 'con_1', context, compose)).rejects.toThrow(RecipientGone)
    expect([lines, done]).toEqual([['wallet.example'], []])
  })

  it('stands in line by the host of its endpoint', () => {
    const forms = [
      'https://Mediator.example:8443/a?b',
      'https://mediator.example',
      'https://mediator.example./',
    ]
    for (const endpoint of forms) expect(hostOf({ ...service, endpoint })).toBe('mediator.example')
    expect(hostOf({ ...service, endpoint: 'nonsense' })).toBe('nonsense')
    expect([laneTo(service, false), laneTo(service, true)]).toEqual(['wallet.example', 'inside k'])
  })
})

describe('an attempt at the last word of an exchange', () => {
  const attempt = (written: Promise<void>, signal = new AbortController().signal) =>
    attemptLastWord({ runtime: { ...createRuntime(), now: () => 7 } }, { signal }, written)

  it.each([
    ['was delivered', null, 'delivered'],
    ['failed', new Error('away'), 'failed'],
    ['failed for ever, without a connection', new RecipientGone(), 'never'],
    ['failed for ever, at a forbidden address', new EgressRefused('private'), 'never'],
  ])('says that it %s', async (_what, error, became) => {
    const written = error === null ? Promise.resolve() : Promise.reject(error)
    expect(await attempt(written)).toEqual({ type: 'RecordLastWord', atMs: 7, became })
  })

  it('was none when its turn did not come, or when we stop', async () => {
    await expect(attempt(Promise.reject(new RecipientBusy(5_000)))).rejects.toThrow(RecipientBusy)
    await expect(attempt(Promise.reject(new Error('cut off')), AbortSignal.abort())).rejects.toThrow(
      'cut off',
    )
  })
})

describe('what an exchange owes', () => {
  const exchange = { tenant: 'ten_1', connectionId: 'con_1' }
  const runtime = createRuntime()
  const attempt = (erasedBy: string | null, perform: () => Promise<unknown>): Promise<unknown> => {
    const actors = actorsThat({ read: (id: string) => (id === 'con_1' ? { erasedBy } : exchange) })
    return unlessErased({ actors, runtime }, credential.ref('cre_1'), perform)
  }
  const gone = () => Promise.reject(new RecipientGone())

  it('is done', async () => {
    expect(await attempt('api_key', () => Promise.resolve('done'))).toBe('done')
  })

  it('is tried again as long as its connection is there', async () => {
    await expect(attempt(null, gone)).rejects.toThrow(RecipientGone)
  })

  it('is its erasure once its connection was erased', async () => {
    const command = { type: 'EraseRecord', tenant: 'ten_1', by: 'operator', withConnection: true }
    expect(await attempt('operator', gone)).toMatchObject(command)
  })
})
