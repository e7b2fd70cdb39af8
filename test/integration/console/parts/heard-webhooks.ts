import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

type Heard = { readonly type: string; readonly body: string; readonly signature: string }

/** An endpoint of the organisation, which takes what comes or refuses it. */
export class HeardWebhooks {
  readonly heard: Heard[] = []
  isWell = true
  url = ''
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { type } = JSON.parse(body) as { type: string }
      this.heard.push({ type, body, signature: String(request.headers['x-svc-signature']) })
      response.writeHead(this.isWell ? 200 : 503, { 'content-type': 'text/plain' })
      response.end(this.isWell ? 'Thank you.' : 'The ticket office is closed for the night.')
    })
  })

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

/** Which of its signatures each of these secrets makes, as a receiver looks; -1 where none is by it. */
export const signaturesBy = ({ body, signature }: Heard, secrets: readonly string[]): readonly number[] => {
  const [time = '', ...shown] = signature.split(',').map((part) => part.slice(part.indexOf('=') + 1))
  return secrets.map((secret) =>
    shown.indexOf(createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')),
  )
}
