import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { EventStream, StreamHandler, StreamRecord } from '../../../src/ports/stream.ts'
import { closedAtEnd } from '../../closed-at-end.ts'

export const record = (tenant: string, index: number): StreamRecord => ({
  place: { shard: 3, no: 7, index },
  event: {
    id: `evt_${tenant}_${index}`,
    type: 'credential.state_changed',
    tenant,
    createdAtMs: 1_700_000_000_000 + index,
    recordType: 'credential',
    recordId: `cre_${tenant}`,
    data: { state: 'done', externalId: null, nested: { sequence: index } },
    sealed: index % 2 === 0 ? 'ciphertext' : null,
  },
})

export const records = (tenant: string, count: number, from = 0): readonly StreamRecord[] =>
  Array.from({ length: count }, (_, index) => record(tenant, from + index))

/** Publishes as the publisher does: until it is taken. */
export const publishUntilTaken = async (
  stream: EventStream,
  some: readonly StreamRecord[],
): Promise<void> => {
  for (;;) {
    try {
      return await stream.publish(some)
    } catch {
      await sleep(20)
    }
  }
}

/** Keeps what it got; a record that comes again is there twice. */
export const collector = () => {
  const got: StreamRecord[] = []
  const handler: StreamHandler = async (some) => void got.push(...some)
  const first = (): readonly string[] => [...new Set(got.map(({ event }) => event.id))]
  return { got, handler, first }
}

const ids = (some: readonly StreamRecord[]): readonly string[] => some.map(({ event }) => event.id)
const limits = { timeout: 60_000 }

/** What both ways of the stream promise. `open` gives a stream with a name space of its own. */
export const streamSuite = (name: string, open: () => Promise<EventStream>): void => {
  describe(`the stream ${name}`, () => {
    it('hands every record on as it was, those of one organisation in their order', async () => {
      const stream = closedAtEnd(await open())
      const { got, handler } = collector()
      await stream.subscribe('readers', handler)
      const sent = [records('ten_a', 5), records('ten_b', 5), records('ten_a', 5, 5)]
      for (const some of sent) await publishUntilTaken(stream, some)
      await expect.poll(() => got.length, limits).toBe(15)
      expect(got.filter(({ event }) => event.tenant === 'ten_a')).toEqual(records('ten_a', 10))
      expect(got.filter(({ event }) => event.tenant === 'ten_b')).toEqual(records('ten_b', 5))
    })

    it('gives each group everything', async () => {
      const stream = closedAtEnd(await open())
      const [one, two] = [collector(), collector()]
      await stream.subscribe('one', one.handler)
      await stream.subscribe('two', two.handler)
      await publishUntilTaken(stream, records('ten_a', 4))
      await expect.poll(() => one.first().length, limits).toBe(4)
      await expect.poll(() => two.first().length, limits).toBe(4)
    })

    it('brings records again that a handler failed at, and nothing is left out', async () => {
      const stream = closedAtEnd(await open())
      const { handler, first } = collector()
      let failures = 0
      await stream.subscribe('readers', async (some) => {
        if (failures++ < 2) throw new Error('not now')
        await handler(some)
      })
      await publishUntilTaken(stream, records('ten_a', 3))
      await publishUntilTaken(stream, records('ten_a', 3, 3))
      await expect.poll(() => first().length, limits).toBe(6)
      expect(first()).toEqual(ids(records('ten_a', 6)))
    })

    it('keeps what is published while a group is between two members', async () => {
      const stream = closedAtEnd(await open())
      const [before, after] = [collector(), collector()]
      const member = await stream.subscribe('readers', before.handler)
      await publishUntilTaken(stream, records('ten_a', 2))
      await expect.poll(() => before.first().length, limits).toBe(2)
      await member[Symbol.asyncDispose]()
      const publishing = publishUntilTaken(stream, records('ten_a', 2, 2))
      await stream.subscribe('readers', after.handler)
      await publishing
      await expect
        .poll(() => after.first(), limits)
        .toEqual(expect.arrayContaining([...ids(records('ten_a', 2, 2))]))
      expect(before.got).toHaveLength(2)
    })

    it('ends a membership only when its handler has ended', async () => {
      const stream = closedAtEnd(await open())
      const running = Promise.withResolvers<void>()
      const release = Promise.withResolvers<void>()
      let over = false
      const member = await stream.subscribe('readers', async () => {
        running.resolve()
        await release.promise
        over = true
      })
      const publishing = publishUntilTaken(stream, records('ten_a', 1))
      await running.promise
      const closing = member[Symbol.asyncDispose]()
      release.resolve()
      await closing
      expect(over).toBe(true)
      await publishing
    })

    it('tells a listener everything from when it began until it ends, beside all groups', async () => {
      const stream = closedAtEnd(await open())
      const { handler, first } = collector()
      await stream.subscribe('readers', handler)
      await publishUntilTaken(stream, records('ten_a', 2))
      const heard: StreamRecord[] = []
      const also: StreamRecord[] = []
      let losses = 0
      const lost = (): void => void losses++
      const listening = await stream.listen((some) => void heard.push(...some), lost)
      closedAtEnd(await stream.listen((some) => void also.push(...some), lost))
      await publishUntilTaken(stream, records('ten_a', 3, 2))
      await expect.poll(() => heard.length, limits).toBe(3)
      await expect.poll(() => also.length, limits).toBe(3)
      await listening[Symbol.asyncDispose]()
      await publishUntilTaken(stream, records('ten_a', 1, 5))
      await expect.poll(() => also.length, limits).toBe(4)
      expect(heard).toEqual(records('ten_a', 3, 2))
      await expect.poll(() => first().length, limits).toBe(6)
      expect(losses).toBe(0)
    })

    it('answers its probe', async () => {
      const stream = closedAtEnd(await open())
      await expect(stream.probe()).resolves.toBeUndefined()
    })
  })
}
