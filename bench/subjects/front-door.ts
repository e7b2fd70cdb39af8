// The whole service with an organisation, many API keys and connections of a real wallet, ready to be asked.
import { GCProfiler } from 'node:v8'
import { Holder } from '../../sdk/wallet/holder.ts'
import { DEVELOPMENT_TENANT } from '../../src/actors/tenant/development-tenant.ts'
import { queueWaitRoute } from './queue-wait-route.ts'
import { startService } from './started-service.ts'

type Json = Readonly<Record<string, unknown>>
type Ready = {
  readonly port: number
  readonly keys: readonly string[]
  readonly connections: readonly string[]
}

const AT_ONCE = 32
const PATIENCE_MS = 60_000
const POLICY = { offers: 'ignore', proofs: 'ignore' } as const

export async function start(
  environment: Readonly<Record<string, string>>,
  wanted: { readonly keys: number; readonly connections: number },
): Promise<Ready> {
  const { url, key, order } = await startService(environment, { moreRoutes: [queueWaitRoute] })
  if (key === null) throw new Error('the first start showed no API key')
  const ask = asker(url, key)
  await reached(async () => (await ask('POST', '/v1/connections/invitations', {})).status === 201)
  const connections = await connect(ask, wanted.connections)
  const keys: string[] = []
  const create = async (): Promise<void> => {
    while (keys.length < wanted.keys) {
      const at = keys.push('') - 1
      keys[at] = String(
        (await order('key create', { tenant: DEVELOPMENT_TENANT, label: `key ${at}` }))['key'],
      )
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, create))
  return { port: Number(new URL(url).port), keys, connections }
}

let profiler: GCProfiler | null = null
let usedBefore = 0

/** From here on allocations are counted. */
export function countHeap(): void {
  profiler = new GCProfiler()
  profiler.start()
  usedBefore = process.memoryUsage().heapUsed
}

/** What was allocated since then on the main thread's heap, collected or not. */
export function allocatedBytes(): number {
  let [allocated, after] = [0, usedBefore]
  for (const { beforeGC, afterGC } of profiler?.stop()?.statistics ?? []) {
    allocated += Math.max(0, beforeGC.heapStatistics.usedHeapSize - after)
    after = afterGC.heapStatistics.usedHeapSize
  }
  return allocated + Math.max(0, process.memoryUsage().heapUsed - after)
}

type Ask = (method: string, path: string, body?: Json) => Promise<{ status: number; body: Json }>

const asker =
  (url: string, key: string): Ask =>
  async (method, path, body) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Json }
  }

/** One wallet accepts one invitation many times; each connection keeps its label and its keys sealed. */
const connect = async (ask: Ask, count: number): Promise<readonly string[]> => {
  const ledger = (await ask('GET', '/v1/ledger')).body
  const { url } = ledger['genesis'] as { url: string }
  const holder = await Holder.start(
    {
      label: 'Holder of the benchmark',
      databaseFile: ':memory:',
      host: '127.0.0.1',
      port: 0,
      indyNamespace: String(ledger['indyNamespace']),
      genesis: await (await fetch(url)).text(),
      verbose: false,
    },
    POLICY,
  )
  try {
    for (let made = 0; made < count; made++) {
      const invited = await ask('POST', '/v1/connections/invitations', { externalId: `customer-${made}` })
      await holder.connect(String(invited.body['invitationUrl']))
    }
    let found: readonly Json[] = []
    await reached(async () => {
      const { body } = await ask('GET', '/v1/connections?state=completed&pageSize=100')
      found = body['items'] as readonly Json[]
      return found.length >= count
    })
    if (found.some((each) => typeof each['theirLabel'] !== 'string'))
      throw new Error('a connection does not show its sealed label')
    return found.map((each) => String(each['id']))
  } finally {
    await holder[Symbol.asyncDispose]()
  }
}

const reached = async (isSo: () => Promise<boolean>): Promise<void> => {
  const deadlineMs = performance.now() + PATIENCE_MS
  while (!(await isSo())) {
    if (performance.now() > deadlineMs) throw new Error('the service did not get ready')
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
