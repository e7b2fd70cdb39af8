import type { DidCommConnectionRecord } from '@credo-ts/didcomm'
import { DidCommDeliveryRequestV2Message, DidCommMessagesReceivedV2Message } from '@credo-ts/didcomm'
import type { RowStore } from '../rows/row-store.ts'
import { fromBase64, textOf } from '../bytes.ts'
import type { Inbox } from './inbox.ts'
import type { MediatorDoor, Plaintext } from './mediator-door.ts'

/** In one delivery. */
const BATCH = 20

type Parts = { readonly rows: RowStore; readonly inbox: Inbox; readonly door: MediatorDoor }

/** Fetches what waits at the mediator (pickup 2.0, asked for). */
export class Pickup {
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** One delivery; how many messages it had. They are acknowledged when they are stored, and not before. */
  async fetch(mediator: DidCommConnectionRecord): Promise<number> {
    const { rows, inbox, door } = this.#parts
    const delivery = await door.ask(mediator, new DidCommDeliveryRequestV2Message({ limit: BATCH }))
    const messages = messagesIn(delivery)
    if (messages.length === 0) return 0
    await rows.step(async () => {
      for (const { envelope } of messages) inbox.add(envelope)
    })
    await door.ask(
      mediator,
      new DidCommMessagesReceivedV2Message({ messageIdList: messages.map(({ id }) => id) }),
    )
    return messages.length
  }
}

type Delivered = { readonly id: string; readonly envelope: string }

const messagesIn = (delivery: Plaintext): readonly Delivered[] => {
  const attached = delivery['~attach']
  if (!Array.isArray(attached)) return []
  return attached.flatMap((each: unknown): Delivered[] => {
    const { '@id': id, data } = each as Plaintext
    const { json, base64 } = (data ?? {}) as Plaintext
    if (typeof id !== 'string') return []
    if (json !== undefined) return [{ id, envelope: JSON.stringify(json) }]
    // What is no text is handed on all the same: it is acknowledged, and dropped when it is read.
    return [{ id, envelope: asText(typeof base64 === 'string' ? fromBase64(base64) : null) }]
  })
}

const asText = (bytes: Uint8Array | null): string => {
  try {
    return bytes === null ? 'null' : textOf(bytes)
  } catch {
    return 'null'
  }
}
