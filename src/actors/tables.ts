import { isEnvelope } from '../didcomm/envelope.ts'
import { formatsIn, isType, type Message } from '../didcomm/message.ts'
import type { Eventually } from '../domain/eventually.ts'
import { kindOf, shardOf } from '../domain/references.ts'
import type { FieldSeal } from '../host/definition.ts'
import type { Inbound } from '../http/routes/didcomm.ts'
import type { Actors } from '../ports/actors.ts'
import type { DirectoryRow } from '../ports/directory.ts'
import type { Publish } from '../ports/publication.ts'
import type { Kind } from './define-kind.ts'
import type { Addressee, InboundPorts, KindPorts } from './kind-ports.ts'

/** Everything that is a table of kinds follows from their list. */
export class KindTables {
  readonly #byPrefix: ReadonlyMap<string, Kind>

  constructor(kinds: readonly Kind[]) {
    this.#byPrefix = new Map(kinds.map((kind) => [kind.prefix, kind]))
  }

  /** How lists find the actor as it is now; none for an actor that is in no list. */
  rowsOf(actors: Actors, actor: string): Eventually<readonly DirectoryRow[]> {
    return this.#kindOf(actor)?.rowsOf(actors, actor) ?? []
  }

  /** Whether the row of a new actor may wait a moment, because most of its kind change once more by then. */
  firstRowWaits(actor: string): boolean {
    return this.#kindOf(actor)?.firstRowWaits ?? false
  }

  /** Publishing needs no personal field and opens none, so that all of them come out as null. */
  readonly publish: Publish = (actor, stored) => {
    const kind = this.#kindOf(actor)
    if (kind === undefined || kind.published === null) return null
    return kind.published.publish(actor, kind.events.decode(stored, closed), stored)
  }

  /** The personal fields of a public event's data, null when the record is erased. */
  readonly personalData: KindPorts['personalData'] = (recordId, sealed, seal) => {
    const kind = this.#kindOf(recordId)
    if (!kind?.published?.personalData) throw new Error(`${recordId} has no personal fields in its events`)
    return kind.published.personalData(kind.events.decode(sealed, seal))
  }

  /** Whether what belongs to the record is sealed under a key of its own, which its erasure deletes. */
  readonly hasOwnKey: KindPorts['hasOwnKey'] = (recordId) =>
    (this.#kindOf(recordId)?.atRest.keyParent ?? null) !== null

  /** Takes an envelope to the kind whose address it was posted to; resolves after everything is durable. */
  inboundOf(ports: Omit<InboundPorts, 'addresseeOf' | 'proposalCode'>): Inbound {
    const all: InboundPorts = {
      ...ports,
      addresseeOf: (threadId) => this.#addresseeOf(threadId),
      proposalCode: (message) => this.#proposalCode(message),
    }
    const inbound = new Map<string, Partial<Inbound> & { readonly looksFirst: boolean }>()
    for (const { prefix, envelopes } of this.#byPrefix.values())
      if (envelopes !== null)
        inbound.set(prefix, {
          receive: envelopes.receive(all),
          looksFirst: envelopes.looksFirst === true,
          ...(envelopes.isKnown !== undefined && { isKnown: envelopes.isKnown(all) }),
        })
    // Anybody may write to any address that has the form of one: no record is read for what is no envelope.
    const at = (address: string, envelope: string) => {
      const kind = shardOf(address) === null ? undefined : inbound.get(kindOf(address))
      return kind === undefined || kind.looksFirst || isEnvelope(envelope) ? kind : undefined
    }
    return {
      receive: async (address, envelope, from) =>
        at(address, envelope)?.receive?.(address, envelope, from) ?? 'refused',
      isKnown: async (address, head) => at(address, head)?.isKnown?.(address, head) ?? false,
    }
  }

  #addresseeOf(threadId: string): Addressee | null {
    const kind = shardOf(threadId) === null ? undefined : this.#kindOf(threadId)
    if (!kind?.holderMessages) return null
    const { commandOf, problemCode, formatsShown = formatsIn, isReportedBelow = false } = kind.holderMessages
    return { to: kind.references.ref(threadId), commandOf, problemCode, formatsShown, isReportedBelow }
  }

  #proposalCode(message: Message): string | null {
    for (const { holderMessages: spoken } of this.#byPrefix.values())
      if (spoken !== null && isType(message, spoken.protocol, spoken.proposal)) return spoken.problemCode
    return null
  }

  #kindOf(actor: string): Kind | undefined {
    return this.#byPrefix.get(kindOf(actor))
  }
}

const closed: FieldSeal = {
  seal: () => {
    throw new Error('nothing is sealed while events are published')
  },
  open: () => null,
}
