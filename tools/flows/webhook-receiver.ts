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
  const refused: string[] = []
  /** Repetitions too. */
  const taken = { deliveries: 0 }
  let secret = ''
  const stripe = new Stripe('sk_test_demo')
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    try {
      const signature = String(request.headers['x-svc-signature'])
      const atMs = arrivedMs(signature)
      const believed = stripe.webhooks.constructEvent(body, signature, secret, undefined, undefined, atMs)
      const event = believed as unknown as HeardEvent
      taken.deliveries += 1
      arrived(body)
      if (!events.some(({ id }) => id === event.id)) {
        events.push(event)
        heard(event)
      }
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
    refused,
    taken,
    useSecret: (made: string): void => {
      secret = made
    },
    close: (): void => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
