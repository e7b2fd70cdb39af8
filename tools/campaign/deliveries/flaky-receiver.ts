import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { type Failing, planOf } from './plans.ts'

/** What arrived of one event: when each attempt did, by the clock of the service, as often as it did. */
type Heard = {
  readonly recordId: string
  readonly state: string
  readonly sequence: number
  readonly attempts: Map<number, number[]>
}

type Body = {
  readonly id: string
  readonly type: string
  readonly data: { readonly id: string; readonly state: string; readonly sequence: number }
}

const CHUNK = 'x'.repeat(4_096)
const CHUNK_EVERY_MS = 20

/** An organisation's endpoint that fails as planned, and a server inside the network to which it leads those who follow. */
export const startFlakyReceiver = async (seed: number) => {
  const stripe = new Stripe('sk_test_demo')
  const events = new Map<string, Heard>()
  const problems: string[] = []
  const counts = { requests: 0, inside: 0 }
  const secrets: string[] = []
  const behaviour = {
    acceptsAll: false,
    /** Requests wait for it: the service may send before the answer is here that has its secret. */
    hasSecret: Promise.withResolvers<void>(),
    lastMs: 0,
  }
  const eventOf = (body: string, signature: string, atMs: number): Body | null => {
    for (const secret of secrets) {
      try {
        const event = stripe.webhooks.constructEvent(body, signature, secret, undefined, undefined, atMs)
        return event as unknown as Body
      } catch {
        // It may be signed with the secret of another time.
      }
    }
    return null
  }
  const inside = createServer((_request, response) => {
    counts.inside += 1
    response.end()
  })
  await once(inside.listen(0, '127.0.0.1'), 'listening')
  const insideUrl = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/latest/meta-data`

  const noted = async (request: IncomingMessage): Promise<{ id: string; attempt: number } | null> => {
    const body = await text(request)
    const signature = String(request.headers['x-svc-signature'])
    const atMs = Number(/t=(\d+)/.exec(signature)?.[1]) * 1_000
    await behaviour.hasSecret.promise
    const event = eventOf(body, signature, atMs)
    if (event === null) {
      problems.push(`a webhook was not genuine: ${signature}`)
      return null
    }
    const { id, type, data } = event
    const attempt = Number(request.headers['x-svc-delivery-attempt'])
    if (request.headers['x-svc-event-id'] !== id || request.headers['x-svc-event-type'] !== type)
      problems.push(`${id}: its headers name another event`)
    const { state, sequence } = data
    const heard = events.get(id) ?? { recordId: data.id, state, sequence, attempts: new Map() }
    events.set(id, heard)
    heard.attempts.set(attempt, [...(heard.attempts.get(attempt) ?? []), atMs])
    return { id, attempt }
  }

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    counts.requests += 1
    behaviour.lastMs = performance.now()
    const arrived = await noted(request)
    if (arrived === null) return void response.writeHead(400).end()
    const { id, attempt } = arrived
    const plan = planOf(seed, id)
    if (!behaviour.acceptsAll && attempt <= plan.failures)
      return fail(plan.wayOf(attempt), response, insideUrl)
    if (plan.acceptsEndlessly) endless(200, response)
    else response.writeHead(200).end('taken')
  }
  // A request that is cut off before its body is there delivers nothing.
  const server = createServer((request, response) => void take(request, response).catch(() => undefined))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    events,
    problems,
    counts,
    behaviour,
    /** Has the service make an endpoint, whose secret is in the answer. */
    made: async (make: () => Promise<string>): Promise<void> => {
      behaviour.hasSecret = Promise.withResolvers()
      secrets.push(await make())
      behaviour.hasSecret.resolve()
    },
    /** Attempts that arrived more than once, because their outcome was not committed. */
    repeated: (): number =>
      [...events.values()].reduce(
        (sum, { attempts }) => sum + [...attempts.values()].reduce((more, at) => more + at.length - 1, 0),
        0,
      ),
    close: (): void => {
      for (const each of [server, inside]) {
        each.closeAllConnections()
        each.close()
      }
    },
  }
}

export type FlakyReceiver = Awaited<ReturnType<typeof startFlakyReceiver>>

const fail = (way: Failing, response: ServerResponse, insideUrl: string): void => {
  if (way === 'error') response.writeHead(500).end('something is wrong')
  else if (way === 'redirect') response.writeHead(307, { Location: insideUrl }).end()
  else if (way === 'reset') response.socket?.resetAndDestroy()
  else if (way === 'endless') endless(503, response)
  // A hanging attempt ends by the patience of the service.
}

const endless = (status: number, response: ServerResponse): void => {
  response.writeHead(status)
  const writing = setInterval(() => response.write(CHUNK), CHUNK_EVERY_MS)
  response.once('close', () => clearInterval(writing))
}
