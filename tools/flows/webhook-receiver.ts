import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
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
 * at which it arrived.
 */
export const startReceiver = async (
  heard: (event: HeardEvent) => void,
  arrivedMs: (signature: string) => number = Date.now,
) => {
  const events: HeardEvent[] = []
  const refused: string[] = []
  /** Repetitions too. */
  const taken = { deliveries: 0 }
  let secret = ''
  const stripe = new Stripe('sk_test_demo')
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      try {
        const signature = String(request.headers['x-svc-signature'])
        const event = stripe.webhooks.constructEvent(
          body,
          signature,
          secret,
          undefined,
          undefined,
          arrivedMs(signature),
        ) as unknown as HeardEvent
        taken.deliveries += 1
        if (!events.some(({ id }) => id === event.id)) {
          events.push(event)
          heard(event)
        }
        response.writeHead(204).end()
      } catch (error) {
        refused.push(error instanceof Error ? error.message : String(error))
        response.writeHead(400).end()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
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
