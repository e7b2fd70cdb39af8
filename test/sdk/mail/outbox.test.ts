import { beforeEach, describe, expect, it } from 'vitest'
import { type AwayOnes, type GivenUp, Outbox } from '../../../sdk/core/mail/outbox.ts'
import { overHttps } from '../../../sdk/core/network/addresses.ts'
import { Questions } from '../../../sdk/core/network/questions.ts'
import { RowStore } from '../../../sdk/core/rows/row-store.ts'
import { sodiumCryptography } from '../../../sdk/node/sodium-cryptography.ts'
import { jsonBody, MemoryKeys, MemoryStorage, ScriptedNetwork, SteppedClock } from '../fakes.ts'

const DAY_MS = 86_400_000
const [ONE, OTHER] = ['https://one.example/didcomm', 'https://other.example/didcomm']

const storage = { current: new MemoryStorage(), keys: new MemoryKeys() }
let network: ScriptedNetwork
let received: string[]
let givenUp: GivenUp[]
let clock: SteppedClock

const open = async (): Promise<{ rows: RowStore; outbox: Outbox }> => {
  const rows = await RowStore.open(storage.current, storage.keys, sodiumCryptography)
  const outbox = new Outbox({
    rows,
    questions: new Questions(network, overHttps),
    received: (envelope) => void received.push(envelope),
    clock,
    givenUp: async (message) => void givenUp.push(message),
  })
  return { rows, outbox }
}

const opened = async (...messages: readonly (readonly [string, string])[]) => {
  const { rows, outbox } = await open()
  await rows.step(async () => {
    for (const [endpoint, payload] of messages)
      outbox.add({ endpoint, payload, connectionId: null, threadId: null })
  })
  return outbox
}
const flushed = async (outbox: Outbox) => {
  const away: AwayOnes = new Map()
  const count = await outbox.flush(away)
  return { sent: count, away: [...away.values()] }
}
const sent = (): readonly (string | undefined)[] => network.asked.map(({ body }) => body)

beforeEach(() => {
  storage.current = new MemoryStorage()
  storage.keys = new MemoryKeys()
  network = new ScriptedNetwork(() => ({ status: 202 }))
  received = []
  givenUp = []
  clock = new SteppedClock()
})

describe('the outbox', () => {
  it('sends in order, and forgets what was taken', async () => {
    const outbox = await opened([ONE, 'a'], [OTHER, 'b'], [ONE, 'c'])
    expect(await flushed(outbox)).toEqual({ sent: 3, away: [] })
    expect([sent(), outbox.waiting]).toEqual([['a', 'b', 'c'], []])
  })

  it('keeps what was not taken, in its order, and sends it after a start in the same envelope', async () => {
    network.answer = ({ url }) => (url === ONE ? new Error('ECONNREFUSED') : { status: 202 })
    const outbox = await opened([ONE, 'a'], [ONE, 'b'], [OTHER, 'c'])
    expect(await flushed(outbox)).toEqual({ sent: 1, away: [{ endpoint: ONE, isOnline: true }] })
    expect(sent()).toEqual(['a', 'c'])
    network.answer = () => ({ status: 202 })
    expect((await flushed((await open()).outbox)).sent).toBe(2)
    expect(sent()).toEqual(['a', 'c', 'a', 'b'])
  })

  it.each([401, 403, 407, 408, 421, 425, 429, 500, 503, 507])(
    'sends again what was answered with %i',
    async (status) => {
      network.answer = () => ({ status })
      const outbox = await opened([ONE, 'a'])
      expect((await flushed(outbox)).away).toHaveLength(1)
      expect(outbox.waiting).toHaveLength(1)
    },
  )

  it('says that there is no network', async () => {
    network.answer = () => new Error('ENETUNREACH')
    network.online = false
    expect((await flushed(await opened([ONE, 'a']))).away).toEqual([{ endpoint: ONE, isOnline: false }])
  })

  it.each([400, 404, 410, 413, 415, 422])('gives up what the service refuses with %i', async (status) => {
    network.answer = () => ({ status, body: jsonBody({ error: 'not_found', reason: 'There is nothing.' }) })
    const outbox = await opened([ONE, 'a'], [ONE, 'b'])
    await flushed(outbox)
    expect(givenUp.map((each) => [each.payload, each.status])).toEqual([
      ['a', status],
      ['b', status],
    ])
    expect(outbox.waiting).toEqual([])
  })

  it.each([400, 404, 410, 413, 415, 422])(
    'keeps what a gateway answers with a page and %i, and sends what comes behind it',
    async (status) => {
      network.answer = ({ body }) =>
        body === 'a' ? { status, body: Buffer.from('<html>') } : { status: 202 }
      const outbox = await opened([ONE, 'a'], [ONE, 'b'])
      expect(await flushed(outbox)).toEqual({ sent: 1, away: [{ endpoint: ONE, isOnline: true }] })
      expect([givenUp, outbox.waiting.map(({ payload }) => payload)]).toEqual([[], ['a']])
      network.answer = () => ({ status: 202 })
      expect((await flushed(outbox)).sent).toBe(1)
    },
  )

  it('asks once with the same note, whatever is answered', async () => {
    network.answer = () => ({ status: 404, body: Buffer.from('<html>') })
    const outbox = await opened([ONE, 'a'])
    const away: AwayOnes = new Map()
    expect([await outbox.flush(away), await outbox.flush(away)]).toEqual([0, 0])
    expect(sent()).toEqual(['a'])
  })

  it('keeps what is answered with a page and a status of success', async () => {
    network.answer = () => ({ status: 200, body: Buffer.from('<html>Sign in</html>') })
    const outbox = await opened([ONE, 'a'])
    await flushed(outbox)
    expect(outbox.waiting).toHaveLength(1)
  })

  it('is not led to another address, and keeps the message', async () => {
    network.answer = () => ({ status: 307 })
    const outbox = await opened([ONE, 'a'])
    expect((await flushed(outbox)).away).toHaveLength(1)
    expect(outbox.waiting).toHaveLength(1)
  })

  it('takes the answer that comes on the same way, if it is an envelope', async () => {
    const envelope = '{"protected":"e30","ciphertext":""}'
    network.answer = ({ body }) => ({ body: Buffer.from(body === 'a' ? envelope : '') })
    await flushed(await opened([ONE, 'a'], [ONE, 'b']))
    expect(received).toEqual([envelope])
  })

  it('gives up what nobody took on seven days, with what waits behind it', async () => {
    network.answer = () => new Error('ECONNREFUSED')
    const outbox = await opened([ONE, 'a'], [ONE, 'b'], [OTHER, 'c'])
    for (let day = 0; day < 7; day++) {
      await flushed(outbox)
      await clock.pass(DAY_MS)
    }
    expect([givenUp, outbox.waiting.length]).toEqual([[], 3])
    const { outbox: later } = await open()
    expect(await flushed(later)).toMatchObject({ sent: 0 })
    expect(givenUp.map(({ payload, status }) => [payload, status])).toEqual([
      ['a', null],
      ['b', null],
      ['c', null],
    ])
    expect(later.waiting).toEqual([])
  })

  it('does not count days on which nobody tried, or which had no network', async () => {
    network.answer = () => new Error('ENETUNREACH')
    const outbox = await opened([ONE, 'a'])
    await flushed(outbox)
    await clock.pass(30 * DAY_MS)
    network.online = false
    for (let day = 0; day < 30; day++) {
      await flushed(outbox)
      await clock.pass(DAY_MS)
    }
    network.online = true
    await flushed(outbox)
    expect([givenUp, outbox.waiting.length]).toEqual([[], 1])
  })

  it('counts one try a day, however often it tries, and writes no more than that', async () => {
    network.answer = () => ({ status: 503 })
    const outbox = await opened([ONE, 'a'])
    const { writes } = storage.current
    for (let times = 0; times < 50; times++) {
      await flushed(outbox)
      await clock.pass(60_000)
    }
    expect([givenUp, storage.current.writes - writes]).toEqual([[], 1])
  })

  it('gives up alone what a gateway dislikes, and what the clock says it tried tomorrow', async () => {
    network.answer = ({ body }) =>
      body === 'a' ? { status: 404, body: Buffer.from('<html>') } : { status: 503 }
    await clock.pass(20 * DAY_MS)
    const outbox = await opened([ONE, 'a'], [ONE, 'b'])
    for (let day = 0; day < 8; day++) {
      await flushed(outbox)
      await clock.pass(-DAY_MS)
    }
    expect(givenUp.map(({ payload }) => payload)).toEqual(['a', 'b'])
  })

  it('gives up again what the app did not live to store', async () => {
    network.answer = () => new Error('ECONNREFUSED')
    const outbox = await opened([ONE, 'a'])
    for (let day = 0; day < 7; day++) {
      await flushed(outbox)
      await clock.pass(DAY_MS)
    }
    storage.current.fails = 'before'
    await expect(flushed(outbox)).rejects.toThrow('the disk is full')
    storage.current.fails = 'never'
    const { outbox: next } = await open()
    await flushed(next)
    expect([givenUp.length, next.waiting]).toEqual([2, []])
  })

  it('sends again what the app did not live to hear of', async () => {
    const outbox = await opened([ONE, 'a'])
    storage.current.fails = 'before'
    await expect(flushed(outbox)).rejects.toThrow('the disk is full')
    storage.current.fails = 'never'
    await flushed((await open()).outbox)
    expect(sent()).toEqual(['a', 'a'])
  })
})
