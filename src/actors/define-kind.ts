import { isRefused, type KindTypes } from '../domain/decider.ts'
import type { Crossing } from '../domain/crossing.ts'
import type { Eventually } from '../domain/eventually.ts'
import type { WalletFormat } from '../domain/wallet-formats.ts'
import type { References } from '../domain/references.ts'
import type { Message } from '../didcomm/message.ts'
import type { Received } from '../didcomm/opened-envelope.ts'
import {
  actorDefinition,
  type ActorSpec,
  type AnyActorDefinition,
  type KeyParent,
} from '../host/definition.ts'
import type { PublishedEvent } from '../http/openapi/webhooks.ts'
import type { Route } from '../http/route/route.ts'
import type { Actors } from '../ports/actors.ts'
import type { DirectoryRow } from '../ports/directory.ts'
import type { PublicEvent } from '../ports/publication.ts'
import { erasureRowOf, isRecordErased, recordErased } from './erased-records.ts'
import type { Enclosed } from './bodies.ts'
import type { ApiPorts, InboundPorts, KindPorts, MessageFrame } from './kind-ports.ts'

/** How lists find a record. `row` gets the record as its `record` view shows it. */
export type Listed<Record> = {
  /** Names the list; the rows of a kind stand in one list for each organisation. */
  readonly list: string
  readonly row: (record: Record) => Omit<DirectoryRow, 'id' | 'kind'>
  /** Whether a record that was listed is so no longer. */
  readonly isUnlisted?: (record: Record) => boolean
  /** Its rows say when a record came into its states, and the overview counts that. */
  readonly overview?: Overviewed
  /** Nearly all of its records change once more within a second, and the row of a new one may wait so long. */
  readonly firstRowWaits?: true
}

export type Overviewed = {
  /** As the API calls a record of the list. */
  readonly recordType: string
  /** The states of rows in which a record waits for its holder, or for somebody else outside, or how they begin. */
  readonly waiting: readonly string[]
  /** How callers see a state of rows; left out where they see it as it is. */
  readonly shownAs?: (state: string) => string
}

/** What organisations hear of a kind of record. */
export type Published<Event> = {
  readonly events: readonly PublishedEvent[]
  /**
   * The public event that a journal event tells, without personal fields; null when it tells the outside nothing.
   * `stored` is the text of the journal, to be passed on as ciphertext where personal fields belong to the event.
   */
  readonly publish: (actor: string, event: Event, stored: string) => PublicEvent | null
  /** The personal fields of a public event's data, opened only where the body of a webhook is made; null when erased. */
  readonly personalData?: (event: Event) => Readonly<Record<string, unknown>>
}

/** Messages of holders whose thread is the id of an actor of this kind. */
export type HolderMessages<Command, Record = never> = {
  readonly protocol: string
  /** The name of the message by which a holder would propose an exchange, which is answered by a refusal. */
  readonly proposal: string
  /** Of problem reports in this protocol. */
  readonly problemCode: string
  /**
   * A wallet that does not know the protocol reports so in a thread of its own, which names the message that opened ours
   * as its parent. Left out: such a report is about nothing.
   */
  readonly isReportedBelow?: true
  /** What the wallet knows that wrote a message; left out where the formats that it names say so. */
  readonly formatsShown?: (message: Message) => readonly WalletFormat[]
  /** Null for a message that is none of this protocol. Throws on one that cannot be read. */
  readonly commandOf: (message: Message, frame: MessageFrame) => Command | Enclosed<Command, Record> | null
}

/** Takes an envelope, and the network address that it came from. Resolves after everything is durable. */
export type Receive = (address: string, envelope: string, from: string) => Promise<Received>

/** What becomes of the envelopes that wallets post to an address of this kind. */
export type Envelopes = {
  readonly receive: (ports: InboundPorts) => Receive
  /** It refuses itself what is no envelope, before it reads a record. Left out: nothing else comes to it. */
  readonly looksFirst?: true
  /**
   * Whether the address knows who has sealed an envelope, of which the ciphertext is left out. Only such an envelope
   * may be large. Left out where no sender is known.
   */
  readonly isKnown?: (ports: InboundPorts) => (address: string, head: string) => Promise<boolean>
}

/** The keys above the data key of a record: of its organisation and, for an exchange, of its connection. */
export const keysAbove = (
  _actor: string,
  first: { readonly type: string; readonly tenant?: string; readonly connectionId?: string },
): KeyParent => {
  if (first.tenant === undefined) throw new Error(`no record begins with ${first.type}`)
  return { tenant: first.tenant, connection: first.connectionId ?? null }
}

type Effects<Of extends KindTypes> = Pick<ActorSpec<Of>, 'perform' | 'gate'>

/** All that one kind of record is; everything but its rules and its stored form may be left out. */
export type KindSpec<Of extends KindTypes> = Omit<ActorSpec<Of>, 'kind' | 'perform' | 'gate'> & {
  /** Made beside the rules, where other kinds can take it without taking the whole kind. */
  readonly references: References<Of>
  readonly listed?: Listed<Of['views']['record']>
  readonly published?: Published<Of['event']>
  readonly holderMessages?: HolderMessages<Of['command'], Of['views']['record']>
  readonly envelopes?: Envelopes
  /** In the order in which they stand in the description of the API. */
  readonly routes?: (ports: ApiPorts) => readonly Route[]
  /** Orders that have no public route yet: on the private port alone, for the command line. */
  readonly localRoutes?: (ports: ApiPorts) => readonly Route[]
} & ([Of['owed']] extends [never]
    ? { readonly effects?: never }
    : {
        /** Does what is owed. Made once for each process, so what it shares among its actors lives in this closure. */
        readonly effects: (ports: KindPorts) => Effects<Of>
      })

/** One kind of record as the platform sees it. */
export type Kind = {
  readonly prefix: string
  /** Nodes keep copies of what others own, because requests read it all the time; it changes seldom. */
  readonly isCopied: boolean
  readonly list: string | null
  readonly overview: Overviewed | null
  readonly definition: (ports: KindPorts) => AnyActorDefinition
  /** The same where nothing is owed to anybody: for reading its records beside a service that is stopped. */
  readonly atRest: AnyActorDefinition
  readonly firstRowWaits: boolean
  /** How lists find the actor as it is now; none when there is nothing to find. */
  readonly rowsOf: (actors: Actors, id: string) => Eventually<readonly DirectoryRow[]>
  readonly published: Published<unknown> | null
  /** Reads stored events for those who publish them. */
  readonly events: AnyActorDefinition['events']
  readonly references: References<KindTypes>
  readonly holderMessages: HolderMessages<unknown> | null
  readonly envelopes: Envelopes | null
  readonly routes: (ports: ApiPorts) => readonly Route[]
  readonly localRoutes: (ports: ApiPorts) => readonly Route[]
}

const NO_ROWS: readonly never[] = []

/** Of a record that has gone whole before the lists, which may be behind, could see that it is listed no longer. */
const goneRow = (kind: string, id: string): DirectoryRow => ({
  kind,
  id,
  tenant: '',
  createdAtMs: 0,
  updatedAtMs: 0,
  state: '',
  filters: {},
  externalId: null,
  searchText: '',
  isGone: true,
})

/** That a record was erased is the same event in every kind. */
const withErasures = <Event>(published: Published<Event>, recordType: string): Published<Event> => ({
  ...published,
  publish: (actor, event, stored) =>
    isRecordErased(event) ? recordErased(recordType, actor, event) : published.publish(actor, event, stored),
})

export const defineKind = <Of extends KindTypes>(spec: KindSpec<Of> & Crossing<Of>): Kind => {
  const { references, listed, published, holderMessages, envelopes, effects, ...more } = spec
  const { routes = () => [], localRoutes = () => [], ...actor } = more
  const { prefix } = references
  if (spec.decider.timers !== undefined && spec.onTimer === undefined)
    throw new Error(`${prefix}: its rules have timers, so onTimer must say what each means`)
  if ((spec.events.needsSeal || spec.snapshots.needsSeal) && spec.keyParent === undefined)
    throw new Error(
      `${prefix}: it has personal fields, so keyParent must say under which keys they are sealed`,
    )
  return {
    prefix,
    isCopied: spec.isCopied ?? false,
    references,
    list: listed?.list ?? null,
    overview: listed?.overview ?? null,
    firstRowWaits: listed?.firstRowWaits ?? false,
    definition: (ports) =>
      actorDefinition<Of>({ ...actor, ...effects?.(ports), kind: prefix } as unknown as ActorSpec<Of>),
    atRest: actorDefinition<Of>({ ...actor, kind: prefix } as unknown as ActorSpec<Of>),
    rowsOf: async (actors, id) => {
      if (listed === undefined) return NO_ROWS
      const record = await actors.read<Of>(references.ref(id))
      const { isUnlisted } = listed
      if (isRefused(record)) return isUnlisted === undefined ? NO_ROWS : [goneRow(listed.list, id)]
      const passing = isUnlisted === undefined ? {} : ({ isPassing: true } as const)
      const row = { ...listed.row(record), id, kind: listed.list, ...passing }
      if (isUnlisted?.(record) === true) return [{ ...row, isGone: true }]
      const erasure = erasureRowOf(listed.list, id, record as object)
      return erasure === null ? [row] : [row, erasure]
    },
    published: published === undefined ? null : withErasures(published, listed?.list ?? prefix),
    events: spec.events,
    holderMessages: holderMessages ?? null,
    envelopes: envelopes ?? null,
    routes,
    localRoutes,
  }
}
