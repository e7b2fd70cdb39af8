import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Stripe from 'stripe'

export type Arrived = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly atMs: number }

/** An organisation's endpoint on loopback; `answer` says how it behaves. */
export const startReceiver = async (
  answer: (arrived: Arrived, response: ServerResponse) => void = (_arrived, response) => void response.end(),
) => {
  const arrived: Arrived[] = []
  const behaviour = { answer }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const one = { headers: request.headers, body: Buffer.concat(chunks).toString(), atMs: Date.now() }
      arrived.push(one)
      behaviour.answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  return {
    url,
    arrived,
    behaviour,
    ids: (): readonly string[] => arrived.map(({ body }) => (JSON.parse(body) as { id: string }).id),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** What npm stripe, written by others for the same format, says of the signature under our header's name. */
export const isGenuine = ({ headers, body }: Arrived, secret: string): boolean => {
  try {
    return (
      Stripe.webhooks.signature?.verifyHeader(body, String(headers['x-svc-signature']), secret, 300) ?? false
    )
  } catch {
    return false
  }
}
