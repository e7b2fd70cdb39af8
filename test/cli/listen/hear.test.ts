import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { hear, type Noticed } from '../../../src/cli/listen/hear.ts'
import type { ApiAccess } from '../../../src/cli/api-access.ts'
import { begun, frame, FRAMES_MAX, LARGE, madeUp, muchTold, refusal, toldStream } from './told-stream.ts'

const patience = {
  beginMs: 5_000,
  silenceMs: 5_000,
  returnMs: 10,
  unanswered: { firstMs: 5, maxMs: 20 },
  leastMs: 5,
  mostMs: 5_000,
}

/** Everything that is heard until `isEnough`. */
const heardFrom = async (
  access: ApiAccess,
  isEnough: (heard: readonly Noticed[]) => boolean,
  more: Partial<typeof patience> & { readonly after?: string } = {},
): Promise<readonly Noticed[]> => {
  const { after = null, ...times } = more
  const leaving = new AbortController()
  const heard: Noticed[] = []
  const options = { after, signal: leaving.signal, patience: { ...patience, ...times } }
  for await (const noticed of hear(access, options)) {
    heard.push(noticed)
    if (isEnough(heard)) leaving.abort()
  }
  return heard
}
const ids = (heard: readonly Noticed[]): readonly string[] =>
  heard.flatMap((each) => (each.is === 'event' ? [each.id] : []))
const kindsIn = (heard: readonly Noticed[]): readonly string[] => heard.map((each) => each.is)

describe('hearing an organisation’s events', () => {
  it('asks with the key, and comes back behind the last event that has happened', async () => {
    const { access, asked } = await toldStream(
      (response) => begun(response, frame('evt_a_1'), frame('evt_a_2'), madeUp('evt_test_1')).end(),
      (response) => begun(response, frame('evt_a_3')),
    )
    const heard = await heardFrom(access, (so) => ids(so).includes('evt_a_3'))
    expect(ids(heard)).toEqual(['evt_a_1', 'evt_a_2', 'evt_test_1', 'evt_a_3'])
    expect(heard.map((each) => each.is)).toEqual([
      'connected',
      'event',
      'event',
      'event',
      'away',
      'connected',
      'event',
    ])
    expect(heard[4]).toEqual({ is: 'away', reason: 'The stream has ended.', waitMs: 20 })
    expect(asked.map(({ path, headers }) => [path, headers.authorization, headers['last-event-id']])).toEqual(
      [
        ['/v1/events/stream', 'Bearer svc_sk_test', undefined],
        ['/v1/events/stream', 'Bearer svc_sk_test', 'evt_a_2'],
      ],
    )
  })

  it('begins behind the event that it is told, says that there is a gap, and why a stream ends', async () => {
    const end = 'event: stream.end\ndata: {"reason":"behind"}\n\n'
    const left = 'id: evt_a_9\nevent: stream.left_out\ndata: {"id":"evt_a_9","reason":"too_large"}\n\n'
    const { access, asked } = await toldStream(
      (response) => begun(response, 'event: stream.gap\ndata: {}\n\n', left, end).end(),
      (response) => begun(response),
    )
    const heard = await heardFrom(
      access,
      (so) => kindsIn(so).filter((is) => is === 'connected').length === 2,
      {
        after: 'evt_a_5',
      },
    )
    expect(kindsIn(heard)).toEqual(['connected', 'gap', 'left_out', 'end', 'away', 'connected'])
    expect(asked.map(({ headers }) => headers['last-event-id'])).toEqual(['evt_a_5', 'evt_a_9'])
  })

  it('comes back to a service that was away, cut off or silent, and never before it may', async () => {
    const startedMs = performance.now()
    const { access, asked } = await toldStream(
      (response) => void response.socket?.destroy(),
      refusal(503, 'The request could not be finished now; try again.', { 'retry-after': '1' }),
      refusal(429, 'There are 5 streams open already; close one first.'),
      (response) => {
        begun(response, frame('evt_a_1'))
        setTimeout(() => response.socket?.destroy(), 20)
      },
      (response) => begun(response, frame('evt_a_2')),
      (response) => begun(response, frame('evt_a_3')),
    )
    const heard = await heardFrom(access, (so) => ids(so).includes('evt_a_3'), { silenceMs: 200 })
    expect(ids(heard)).toEqual(['evt_a_1', 'evt_a_2', 'evt_a_3'])
    expect(heard.flatMap((each) => (each.is === 'away' ? [each.reason] : []))).toEqual([
      `Nothing answers at ${access.url}.`,
      'The request could not be finished now; try again.',
      'There are 5 streams open already; close one first.',
      'The connection was lost.',
      'The connection was lost.',
    ])
    expect(performance.now() - startedMs).toBeGreaterThan(1_000)
    expect(asked).toHaveLength(6)
  })

  it('asks neither at once nor never again, whatever it is told', async () => {
    const told = ['retry: 0', 'retry: 9999999'].map(
      (retry) => (response: ServerResponse) =>
        void response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${retry}\n\n`),
    )
    const { access } = await toldStream(
      ...told,
      refusal(503, 'Later.', { 'retry-after': '99999999999' }),
      refusal(503, 'Later.', { 'retry-after': '-1' }),
      (response) => begun(response, frame('evt_a_1')),
    )
    const heard = await heardFrom(access, (so) => ids(so).length === 1, { leastMs: 50, mostMs: 60 })
    expect(heard.flatMap((each) => (each.is === 'away' ? [each.waitMs] : []))).toEqual([50, 60, 60, 50])
  })

  it('is told where events may be missing because it knew of none to come back behind', async () => {
    const { access } = await toldStream(
      refusal(503, 'Later.'),
      (response) => begun(response, madeUp('evt_test_1')).end(),
      (response) => begun(response, frame('evt_a_1')).end(),
      (response) => begun(response),
    )
    const heard = await heardFrom(access, (so) => kindsIn(so).filter((is) => is === 'connected').length === 3)
    expect(kindsIn(heard).join(' ')).toBe('away connected event away connected gap event away connected')
  })

  it('comes back behind the last event whose id can be sent', async () => {
    const { access, asked } = await toldStream(
      (response) => begun(response, frame('evt_a_1'), 'id: ü\u0001\ndata: {}\n\n', 'id:\ndata: {}\n\n').end(),
      (response) => begun(response, frame('evt_a_2')),
    )
    const heard = await heardFrom(access, (so) => ids(so).includes('evt_a_2'))
    expect(kindsIn(heard).filter((is) => is === 'left_out')).toHaveLength(2)
    expect(asked.at(-1)?.headers['last-event-id']).toBe('evt_a_1')
  })

  it('waits for the end of no refusal', async () => {
    const { access } = await toldStream((response) => void response.writeHead(503).write('{"reason":'))
    const heard = await heardFrom(access, (so) => so.length === 1, { beginMs: 200 })
    expect(heard).toMatchObject([{ is: 'away', reason: 'The service answered 503.' }])
  })

  it('comes back where nothing answers at all', async () => {
    const access = { url: 'http://127.0.0.1:9', key: 'svc_sk_test' }
    const heard = await heardFrom(access, (so) => so.length === 3)
    expect(kindsIn(heard)).toEqual(['away', 'away', 'away'])
  })

  it.each([
    [401, 'unknown, or was revoked'],
    [403, 'The organisation rests.'],
    [404, 'of an older release'],
    [405, 'of an older release'],
    [302, 'a key does not follow'],
    [400, 'The organisation rests.'],
  ])('gives up where waiting changes nothing: %i', async (status, said) => {
    const { access, asked } = await toldStream(
      (response) => begun(response).end(),
      refusal(
        status,
        'The organisation rests.',
        status === 302 ? { location: 'http://elsewhere.example' } : {},
      ),
    )
    await expect(heardFrom(access, () => false)).rejects.toThrow(said)
    expect(asked).toHaveLength(2)
  })

  it('gives up at what is no stream', async () => {
    const { access } = await toldStream((response) => void response.end('<html>'))
    await expect(heardFrom(access, () => false)).rejects.toThrow('is no Vouchsafe')
  })

  it('reads nothing while nobody asks for the next event', async () => {
    const { answer, untilUnread } = muchTold((at) => frame(`evt_a_${at}`, undefined, LARGE))
    const { access } = await toldStream(answer)
    const leaving = new AbortController()
    const hearing = hear(access, { after: null, signal: leaving.signal, patience })
    await hearing.next()
    await hearing.next()
    expect(await untilUnread()).toBeLessThan(FRAMES_MAX)
    leaving.abort()
    await hearing.return(undefined)
  })

  it('ends at once when it is to', async () => {
    const { access } = await toldStream((response) => begun(response))
    const heard = await heardFrom(access, ([first]) => first?.is === 'connected')
    expect(kindsIn(heard)).toEqual(['connected'])
  })
})
