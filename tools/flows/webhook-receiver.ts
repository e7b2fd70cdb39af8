import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Stripe from 'stripe'

export type HeardEvent = {
  readonly id: string
  readonly type: string
  readonly data: {
    readonly id: string
    readonly state: string
    readonly previousState: string | null
    readonly sequence: number
  }
}

/** The mediator holds something for a wallet: of no record, so apart from the others. */
export type SyncRequest = {
  readonly id: string
  readonly createdAt: string
  readonly data: { readonly walletId: string }
}

const SYNC_REQUESTED = 'wallet.sync_requested'

/**
 * The organisation's endpoint: takes webhooks, and believes none whose signature npm stripe does not believe, at the time
 * at which it arrived. `arrived` sees the bodies, repetitions too.
 */
export const startReceiver = async (
  heard: (event: HeardEvent) => void,
  arrivedMs: (signature: string) => number = Date.now,
  arrived: (body: string) => void = () => undefined,
) => {
  const events: HeardEvent[] = []
  const syncRequests: SyncRequest[] = []
  const refused: string[] = []
  /** Repetitions too. */
  const taken = { deliveries: 0 }
  let secret: string | Promise<string> = ''
  const stripe = new Stripe('sk_test_demo')
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    try {
      const signature = String(request.headers['x-svc-signature'])
      const atMs = arrivedMs(signature)
      const key = await secret
      const believed = stripe.webhooks.constructEvent(body, signature, key, undefined, undefined, atMs)
      const event = believed as unknown as HeardEvent
      taken.deliveries += 1
      arrived(body)
      if (event.type === SYNC_REQUESTED) noteOnce(syncRequests, believed as unknown as SyncRequest)
      else if (noteOnce(events, event)) heard(event)
      response.writeHead(204).end()
    } catch (error) {
      refused.push(error instanceof Error ? error.message : String(error))
      response.writeHead(400).end()
    }
  }
  // A request that is cut off before its body is there delivers nothing.
  const server = createServer((request, response) => void take(request, response).catch(() => undefined))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    events,
    syncRequests,
    refused,
    taken,
    /** The service may send before it has answered what the secret is: what arrives meanwhile waits for that. */
    useSecret: (made: string | Promise<string>): void => {
      secret = made
    },
    close: (): void => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** False for what is known already. */
const noteOnce = <Event extends { readonly id: string }>(known: Event[], event: Event): boolean => {
  if (known.some(({ id }) => id === event.id)) return false
  known.push(event)
  return true
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
