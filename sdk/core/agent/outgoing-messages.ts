import type { DidCommOutboundPackage, DidCommOutboundTransport } from '@credo-ts/didcomm'

/** A sealed message on its way out. */
export type Outgoing = {
  readonly endpoint: string
  /** The envelope, as it is sent every time. */
  readonly payload: string
  readonly connectionId: string | null
  readonly threadId: string | null
}

/**
 * Where Credo hands over what it sends. Nothing leaves here: it is collected, stored with the step that brought it
 * about, and sent by the outbox.
 */
export class OutgoingMessages implements DidCommOutboundTransport {
  readonly supportedSchemes = ['https', 'http']
  #collected: Outgoing[] | null = null

  async collect(work: () => Promise<unknown>): Promise<readonly Outgoing[]> {
    const collected: Outgoing[] = []
    this.#collected = collected
    try {
      await work()
      return collected
    } finally {
      this.#collected = null
    }
  }

  async sendMessage({ endpoint, payload, connectionId }: DidCommOutboundPackage): Promise<void> {
    if (this.#collected === null) throw new Error('a message was sent outside of a step')
    if (endpoint === undefined) throw new Error('a message has no address')
    this.#collected.push({
      endpoint,
      payload: JSON.stringify(payload),
      connectionId: connectionId ?? null,
      threadId: null,
    })
  }

  /** Credo says only afterwards what it was that it sent. */
  noteThread(threadId: string): void {
    const last = this.#collected?.pop()
    if (last !== undefined) this.#collected?.push({ ...last, threadId: last.threadId ?? threadId })
  }

  async start(): Promise<void> {
    // There is nothing to open.
  }

  async stop(): Promise<void> {
    // There is nothing to close.
  }
}
