import { setTimeout as pause } from 'node:timers/promises'
import { itemsOf } from '../../../src/cli/orders.ts'
import { type Call, localRequest } from '../../../src/cli/service-call.ts'
import type { Json } from '../../flows/tenant.ts'

const RETRY_MS = 200
const ANSWER_LIMIT_MS = 15_000
const PATIENCE_MS = 300_000
/** The credential changes with each start. */
const PASSING = new Set([401, 409, 429, 500, 502, 503])
const DELIVERIES = '/v1/webhook/deliveries'

class Refused extends Error {
  override readonly name = 'Refused'
}

/** Calls the service with its local credential, again and again until it is answered. */
const patientCall =
  (dataFolder: string, key: string | null = null): Call =>
  async (method, path, sent) => {
    const startedMs = performance.now()
    for (;;) {
      try {
        const request = localRequest(dataFolder, method, path, sent)
        if (request === null) throw new Error('no service has been started')
        if (key !== null) request.headers.set('Idempotency-Key', key)
        const response = await fetch(request, { signal: AbortSignal.timeout(ANSWER_LIMIT_MS) })
        const text = await response.text()
        if (response.ok) return JSON.parse(text) as Json
        if (!PASSING.has(response.status)) throw new Refused(`${method} ${path}: ${response.status} ${text}`)
      } catch (error) {
        if (error instanceof Refused || performance.now() - startedMs > PATIENCE_MS) throw error
      }
      await pause(RETRY_MS)
    }
  }

/** An organisation and its endpoint, as one of its administrators sees them. */
export const openOrganisation = async (dataFolder: string) => {
  const call = patientCall(dataFolder)
  const id = String((await call('POST', '/v1/operator/tenants', { body: { name: 'Registry' } }))['id'])
  const sent = { organisation: id }
  return {
    id,
    setEndpoint: async (url: string): Promise<string> =>
      String((await call('PUT', '/v1/webhook', { ...sent, body: { url } }))['secret']),
    removeEndpoint: () => call('DELETE', '/v1/webhook', sent),
    total: async (status: string): Promise<number> =>
      Number((await call('GET', `${DELIVERIES}?status=${status}`, sent))['total']),
    /** By the id of the event. */
    deliveries: async (): Promise<ReadonlyMap<string, Json>> => {
      const found = new Map<string, Json>()
      for await (const item of itemsOf(call, DELIVERIES, id)) found.set(String(item['eventId']), item)
      return found
    },
    withAttempts: (delivery: string) => call('GET', `${DELIVERIES}/${delivery}`, sent),
    retryAll: (status: string) =>
      patientCall(dataFolder, `retry ${status}`)('POST', `${DELIVERIES}/retry`, {
        ...sent,
        body: { status },
      }),
  }
}

export type Organisation = Awaited<ReturnType<typeof openOrganisation>>
