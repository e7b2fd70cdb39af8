import type { AddressInfo } from 'node:net'
import type { AgentContext } from '@credo-ts/core'
import { DidCommMessageReceiver } from '@credo-ts/didcomm'
import { WebSocketServer } from 'ws'
import type { Inbound } from './create-wallet.ts'

/** The way in of a wallet that takes messages on a WebSocket alone. */
export class InboundSocket implements Inbound {
  #server: WebSocketServer | null = null
  #context: AgentContext | null = null
  offline = false
  /** How many came. */
  received = 0

  async listen(port: number): Promise<string> {
    const server = new WebSocketServer({ port, host: '127.0.0.1' })
    this.#server = server
    server.on('connection', (socket) =>
      socket.on('message', (data: Buffer) => void this.#receive(data.toString())),
    )
    await new Promise((resolve) => server.once('listening', resolve))
    return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async start(context: AgentContext): Promise<void> {
    this.#context = context
  }

  async stop(): Promise<void> {
    for (const client of this.#server?.clients ?? []) client.terminate()
    await new Promise((resolve) => this.#server?.close(resolve))
  }

  async #receive(text: string): Promise<void> {
    const context = this.#context
    if (context === null || this.offline) return
    this.received += 1
    const receiver = context.dependencyManager.resolve(DidCommMessageReceiver)
    const { contextCorrelationId } = context
    // What a wallet does not take is a matter of its own.
    await receiver
      .receiveMessage(JSON.parse(text) as Record<string, unknown>, { contextCorrelationId })
      .catch(() => undefined)
  }
}
