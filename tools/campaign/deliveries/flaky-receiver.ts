import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'
import { type Failing, planOf } from './plans.ts'

/** What arrived of one event: when each attempt did, by the clock of the service, as often as it did. */
type Heard = {
  readonly state: string
  readonly attempts: Map<number, number[]>
}

type Body = {
  readonly id: string
  readonly type: string
  readonly data: { readonly state: string }
}

const CHUNK = 'x'.repeat(4_096)
const CHUNK_EVERY_MS = 20

type Arrived = { readonly id: string; readonly attempt: number }

/** An organisation's endpoint that fails as planned, and a server inside the network to which it leads those who follow. */
export class FlakyReceiver {
  readonly events = new Map<string, Heard>()
  readonly problems: string[] = []
  readonly counts = { requests: 0, inside: 0 }
  acceptsAll = false
  /** When the last request came, by the clock of this process. */
  lastMs = 0
  readonly #seed: number
  readonly #stripe = new Stripe('sk_test_demo')
  readonly #secrets: string[] = []
  /** Requests wait for it: the service may send before the answer is here that has its secret. */
  #hasSecret = Promise.withResolvers<void>()
  // A request that is cut off before its body is there delivers nothing.
  readonly #server = createServer((...arrived) => void this.#take(...arrived).catch(() => undefined))
  readonly #inside = createServer((_request, response) => {
    this.counts.inside += 1
    response.end()
  })

  private constructor(seed: number) {
    this.#seed = seed
  }

  static async start(seed: number): Promise<FlakyReceiver> {
    const receiver = new FlakyReceiver(seed)
    for (const server of [receiver.#server, receiver.#inside])
      await once(server.listen(0, '127.0.0.1'), 'listening')
    return receiver
  }

  get url(): string {
    return `${originOf(this.#server)}/webhooks`
  }

  /** Has the service make an endpoint, whose secret is in the answer. */
  async made(make: () => Promise<string>): Promise<void> {
    this.#hasSecret = Promise.withResolvers()
    this.#secrets.push(await make())
    this.#hasSecret.resolve()
  }

  /** Attempts that arrived more than once, because their outcome was not committed. */
  repeated(): number {
    const times = [...this.events.values()].flatMap(({ attempts }) => [...attempts.values()])
    return times.reduce((sum, { length }) => sum + length - 1, 0)
  }

  close(): void {
    for (const server of [this.#server, this.#inside]) {
      server.closeAllConnections()
      server.close()
    }
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.counts.requests += 1
    this.lastMs = performance.now()
    const arrived = await this.#noted(request)
    if (arrived === null) return void response.writeHead(400).end()
    const { id, attempt } = arrived
    const plan = planOf(this.#seed, id)
    if (!this.acceptsAll && attempt <= plan.failures)
      return fail(plan.wayOf(attempt), response, `${originOf(this.#inside)}/latest/meta-data`)
    if (plan.acceptsEndlessly) endless(200, response)
    else response.writeHead(200).end('taken')
  }

  /** Null for what is not genuine. */
  async #noted(request: IncomingMessage): Promise<Arrived | null> {
    const body = await text(request)
    const signature = String(request.headers['x-svc-signature'])
    const atMs = Number(/t=(\d+)/.exec(signature)?.[1]) * 1_000
    await this.#hasSecret.promise
    const event = this.#eventOf(body, signature, atMs)
    if (event === null) {
      this.problems.push(`a webhook was not genuine: ${signature}`)
      return null
    }
    const { id, type, data } = event
    const attempt = Number(request.headers['x-svc-delivery-attempt'])
    if (request.headers['x-svc-event-id'] !== id || request.headers['x-svc-event-type'] !== type)
      this.problems.push(`${id}: its headers name another event`)
    const heard: Heard = this.events.get(id) ?? { state: data.state, attempts: new Map() }
    this.events.set(id, heard)
    heard.attempts.set(attempt, [...(heard.attempts.get(attempt) ?? []), atMs])
    return { id, attempt }
  }

  #eventOf(body: string, signature: string, atMs: number): Body | null {
    for (const secret of this.#secrets) {
      try {
        const { webhooks } = this.#stripe
        const event = webhooks.constructEvent(body, signature, secret, undefined, undefined, atMs)
        return event as unknown as Body
      } catch {
        // It may be signed with the secret of another time.
      }
    }
    return null
  }
}

const originOf = (server: Server): string => {
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

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
