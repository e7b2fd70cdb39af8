// A closed-loop HTTP load generator: every connection sends the next request when the answer to the last is in.
// It reads sockets itself, because node:http spends more processor time than the servers it would measure.
import { connect, type Socket } from 'node:net'
import { Latencies, type LatencySummary } from '../harness/latencies.ts'

export type HttpLoad = {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /** The raw bytes of each request, used in turn. */
  readonly requests: readonly string[]
  /** Over all connections; without it each sends the next request as soon as it is answered. */
  readonly perS?: number
  /**
   * Looks for answers all the time. A server on the same machine otherwise pays for waking its client with every answer,
   * but only one that is slower than the client, so a comparison of two would count it on one side.
   */
  readonly isAwake?: boolean
}

export type HttpLoadResult = {
  readonly answered: number
  readonly perS: number
  /** Status code → how many. */
  readonly statuses: Readonly<Record<string, number>>
  readonly latency: LatencySummary
}

type Tally = { readonly latencies: Latencies; readonly statuses: Map<string, number>; sent: number }

export async function run(load: HttpLoad): Promise<HttpLoadResult> {
  const requests = load.requests.map((request) => Buffer.from(request, 'latin1'))
  const tally: Tally = { latencies: new Latencies(), statuses: new Map(), sent: 0 }
  const started = performance.now()
  const endsAt = started + load.durationMs
  if (load.isAwake) stayAwake(endsAt)
  await Promise.all(
    Array.from({ length: load.connections }, (_, index) =>
      runConnection(load.port, requests, tally, endsAt, paceOf(load, started, index)),
    ),
  )
  const seconds = (performance.now() - started) / 1_000
  const latency = tally.latencies.summary()
  return {
    answered: latency.count,
    perS: latency.count / seconds,
    statuses: Object.fromEntries(tally.statuses),
    latency,
  }
}

/** The event loop polls without ever waiting. */
function stayAwake(endsAt: number): void {
  if (performance.now() < endsAt) setImmediate(stayAwake, endsAt)
}

/** How long a connection waits before its next request: those of all connections are spread evenly. */
function paceOf({ perS, connections }: HttpLoad, started: number, index: number): () => number {
  if (perS === undefined) return () => 0
  const intervalMs = (connections * 1_000) / perS
  let dueAt = started + (index * 1_000) / perS
  return () => {
    dueAt = Math.max(dueAt + intervalMs, performance.now() - intervalMs)
    return dueAt - performance.now()
  }
}

async function runConnection(
  port: number,
  requests: readonly Buffer[],
  tally: Tally,
  endsAt: number,
  waitMs: () => number,
): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await new Promise<void>((resolve, reject) => {
    let sentAt = 0
    const send = (): void => {
      sentAt = performance.now()
      socket.write(requests[tally.sent++ % requests.length] ?? '')
    }
    socket.on('connect', send)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error('the server closed a connection in the middle of the load')))
    onEachAnswer(socket, (status) => {
      const now = performance.now()
      tally.latencies.add(now - sentAt)
      tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
      if (now < endsAt) {
        const wait = waitMs()
        if (wait <= 0) send()
        else setTimeout(send, wait)
        return
      }
      resolve()
      socket.destroy()
    })
  })
}

/** Answers must carry a Content-Length, as every answer of the product does. */
function onEachAnswer(socket: Socket, answered: (status: string) => void): void {
  let buffered = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk) => {
    buffered += String(chunk)
    const headEnd = buffered.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = buffered.slice(0, headEnd)
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) {
      socket.destroy(new Error(`an answer without Content-Length: ${head}`))
      return
    }
    if (buffered.length < headEnd + 4 + Number(length)) return
    buffered = buffered.slice(headEnd + 4 + Number(length))
    answered(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 '.length + 3))
  })
}
