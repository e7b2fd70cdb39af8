import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { AgentContext } from '@credo-ts/core'
import type { DidCommInboundTransport } from '@credo-ts/didcomm'
import { DidCommMessageReceiver } from '@credo-ts/didcomm'

const BYTES_MAX = 2 * 1024 * 1024

/** A wallet that can be reached under an address of its own; a phone uses a mediator instead. */
export class InboundHttp implements DidCommInboundTransport {
  readonly #host: string
  #server: Server | null = null
  #receiver: DidCommMessageReceiver | null = null
  #context: AgentContext | null = null
  /** While true the endpoint answers 503, as if the phone were off. */
  offline = false

  constructor(host: string) {
    this.#host = host
  }

  /** The endpoint is part of the wallet's DIDs, so it must be known before the agent starts. */
  async listen(port: number): Promise<string> {
    this.#server = createServer((request, response) => void this.#receive(request, response))
    await new Promise<void>((resolve, reject) => {
      this.#server?.once('error', reject).listen(port, this.#host, resolve)
    })
    return `http://${this.#host}:${(this.#server.address() as AddressInfo).port}`
  }

  async start(context: AgentContext): Promise<void> {
    this.#context = context
    this.#receiver = context.dependencyManager.resolve(DidCommMessageReceiver)
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = null
    server?.closeAllConnections()
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()))
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [receiver, context] = [this.#receiver, this.#context]
    if (this.offline || !receiver || !context) {
      response.writeHead(503).end()
      return
    }
    try {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length
        if (size > BYTES_MAX) throw new Error('too large')
        chunks.push(chunk)
      }
      const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>
      response.writeHead(200).end()
      await receiver.receiveMessage(message, { contextCorrelationId: context.contextCorrelationId })
    } catch {
      if (!response.headersSent) response.writeHead(400).end()
    }
  }
}
