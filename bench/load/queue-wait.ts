// Other callers, one at a time: the next request leaves a fixed time after the last, whatever that one took.
import { connect, type Socket } from 'node:net'
import { percentile } from '../harness/statistics.ts'
import { nowNs, QUEUE_WAIT_PATH } from '../subjects/queue-wait-route.ts'

export type OtherCallers = {
  readonly port: number
  readonly requests: readonly string[]
  readonly perS: number
  readonly durationMs: number
}

type Waits = { readonly p50Ms: number; readonly p99Ms: number }

/** Every other request asks how long it waited; the rest are real ones, whose time counts as the service's. */
export async function run({ port, requests, perS, durationMs }: OtherCallers) {
  const socket = await open(port)
  const waitsMs: number[] = []
  const tookMs: number[] = []
  const startedMs = performance.now()
  for (let sent = 0; performance.now() - startedMs < durationMs; sent++) {
    const dueMs = startedMs + (sent * 1_000) / perS
    const aheadMs = dueMs - performance.now()
    if (aheadMs > 0) await new Promise((resolve) => setTimeout(resolve, aheadMs))
    if (sent % 2 === 0) {
      const body = await ask(socket, `GET ${QUEUE_WAIT_PATH}/${nowNs()} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
      waitsMs.push(Number(body) / 1e6)
    } else {
      const sentMs = performance.now()
      await ask(socket, requests[sent % requests.length] ?? '')
      tookMs.push(performance.now() - sentMs)
    }
  }
  socket.destroy()
  return { waits: summary(waitsMs), service: summary(tookMs), count: waitsMs.length }
}

const summary = (values: readonly number[]): Waits => ({
  p50Ms: percentile(values, 50),
  p99Ms: percentile(values, 99),
})

const open = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', reject)
  })

const ask = (socket: Socket, request: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const read = (chunk: Buffer): void => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1]
      if (end < 0 || length === undefined || text.length < end + 4 + Number(length)) return
      socket.off('data', read)
      if (text.startsWith('HTTP/1.1 200')) resolve(text.slice(end + 4))
      else reject(new Error(text.slice(0, 200)))
    }
    socket.on('data', read)
    socket.write(request)
  })
