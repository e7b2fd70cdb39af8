// A node whose link answers, in a process of its own.
import type { Peer } from '../../src/cluster/link/wire.ts'
import { createRuntime } from '../../src/host/runtime.ts'
import { Latencies } from '../harness/latencies.ts'
import { benchLink } from './bench-link.ts'

const SERVICE = 'bench/echo'
const TIMEOUT_MS = 60_000

let opened: ReturnType<typeof benchLink> | null = null

const echo = async (body: Uint8Array): Promise<Uint8Array> => body

/** The address of its link. */
export function start(node: string): Promise<string> {
  opened = benchLink(node, createRuntime())
  opened.link.handle(SERVICE, echo)
  return opened.start()
}

export const connect = (peer: Peer): Promise<void> => started().connect(peer)

/** Null asks the same function without a link. */
export async function run(to: string | null, concurrency: number, durationMs: number, bodyBytes: number) {
  const body = Buffer.alloc(bodyBytes, 'x')
  const { link } = started()
  const latencies = new Latencies()
  const startedMs = performance.now()
  const endMs = startedMs + durationMs
  let answered = 0
  const flow = async (): Promise<void> => {
    for (let nowMs = performance.now(); nowMs < endMs; ) {
      const answer =
        to === null ? await echo(body) : await link.request(to, SERVICE, body, { timeoutMs: TIMEOUT_MS })
      if (answer.length !== bodyBytes) throw new Error('an answer of another length')
      const thenMs = performance.now()
      latencies.add(thenMs - nowMs)
      nowMs = thenMs
      answered++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, flow))
  return {
    answered,
    perS: (answered * 1_000) / (performance.now() - startedMs),
    latency: latencies.summary(),
  }
}

const started = (): ReturnType<typeof benchLink> => {
  if (opened === null) throw new Error('the node has not started')
  return opened
}
