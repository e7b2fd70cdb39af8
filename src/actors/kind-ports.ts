import type { PublishedEvent } from '../http/openapi/webhooks.ts'
import type { ClientAddress } from '../http/server/client-address.ts'
import type { FieldSeal } from '../host/definition.ts'
import type { Actors, Removals } from '../ports/actors.ts'
import type { AnonCreds } from '../ports/anoncreds.ts'
import type { BodyStore } from '../ports/bodies.ts'
import type { Directory, RecordsOfTenant } from '../ports/directory.ts'
import type { Ledger, LedgerSigner } from '../ports/ledger.ts'
import type { ListOverviews } from '../ports/list-overview.ts'
import type { MailboxWatch } from '../ports/mailbox-watch.ts'
import type { EventFeed } from '../ports/event-feed.ts'
import type { FaceVendors } from '../ports/face-vendor.ts'
import type { PublicEvent } from '../ports/publication.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Vault } from '../ports/vault.ts'
import type { ProblemReporter } from '../didcomm/problem-reporter.ts'
import type { Message } from '../didcomm/message.ts'
import type { KindTypes } from '../domain/decider.ts'
import type { Prefixed } from '../domain/message-prefix.ts'
import type { WalletFormat } from '../domain/wallet-formats.ts'
import type { Ref } from '../domain/references.ts'
import type { Deliver } from '../ports/wallets.ts'
import type { Catalogue } from './credential-definition/catalogue.ts'
import type { ImageRoom } from './face-check/image-room.ts'
import type { SignInCounts } from './sign-in-lockout/attempt-counts.ts'
import type { ActiveTenants } from './tenant/read.ts'
import type { TokenTags } from './tokens.ts'
import type { LateComers } from './invitation/late-comers.ts'
import type { HandshakeLimits } from './invitation/handshake-limits.ts'
import type { WalletMediator } from './mailbox/mediator.ts'
import type { Passwords } from './account/passwords.ts'
import type { WebhookSender } from '../ports/webhook-sender.ts'
import type { EndpointLimits } from './webhook-delivery/endpoint-limiter.ts'
import type { RunningAttempts } from './webhook-delivery/running-attempts.ts'

type CommonPorts = {
  readonly actors: Actors
  readonly bodies: BodyStore
  readonly faceVendors: FaceVendors
  readonly runtime: Runtime
  readonly vault: Vault
  readonly catalogue: Catalogue
  /** For an AnonCreds offer. */
  readonly newNonce: () => string
  /** The personal fields of a public event's data, null when the record is erased. */
  readonly personalData: (
    recordId: string,
    sealed: string,
    seal: FieldSeal,
  ) => Readonly<Record<string, unknown>>
  /** Whether what belongs to a record is sealed under a key of its own, which its erasure deletes. */
  readonly hasOwnKey: (recordId: string) => boolean
  /** The types of events that organisations can hear of. */
  readonly eventTypes: readonly string[]
  /** The address of the service as the outside sees it. */
  readonly publicUrl: () => string
}

/**
 * What the composition root hands to what kinds owe. The list is long because it serves all kinds; each function of a
 * kind names the few ports that it needs (`Pick<KindPorts, …>`).
 */
export type KindPorts = CommonPorts & {
  readonly anoncreds: AnonCreds
  readonly ledger: Pick<Ledger, 'registerIdentity' | 'publishSchema' | 'publishDefinition'>
  readonly deliver: Deliver
  /** For what is owed to all records of a list. They are open when the actors are. */
  readonly lists: Directory & {
    /** Resolves when all that was committed on the shard of the record is in the lists; rejects as `unavailable` when that takes long. */
    readonly caughtUpWith: (recordId: string) => Promise<void>
    /**
     * As this node's own file has them: all records of the shards that it serves, up to what `caughtUpWith` waited for. In a
     * cluster `list` may be made by a node that has less for a moment.
     */
    readonly listHere: Directory['list']
  }
  /** For the deletion of an organisation. They are open when the actors are. */
  readonly recordsOfTenant: RecordsOfTenant & {
    /** Resolves when all that was committed is in the lists. */
    readonly caughtUp: () => Promise<void>
    /** Every actor that the journal has, of all organisations. */
    readonly everyActor: () => AsyncIterable<string>
  }
  readonly removals: Removals
  readonly deletion: { readonly recordsPerSecond: number }
  /** The ledger's signer from a seed in base64url. */
  readonly signerOf: (seed: string) => LedgerSigner
  readonly webhookSender: WebhookSender
  readonly endpointLimits: EndpointLimits
  readonly runningAttempts: Pick<RunningAttempts, 'run'>
  /** Tells those who have a live session of a wallet that something came for it. */
  readonly mailboxWatch: MailboxWatch
}

/** What it hands to routes and to the commands behind them, which likewise name what they need. */
export type ApiPorts = CommonPorts & {
  /** How much images of face checks may take. */
  readonly imageRoom: ImageRoom
  readonly directory: Directory
  /** What lists say in numbers. */
  readonly overviews: ListOverviews
  readonly deliver: Deliver
  /**
   * To be called when a record is erased. Resolves when nothing on this node shows its personal data any more: no list,
   * no file of the lists, no webhook under way. Rejects as `unavailable` when that takes too long; it is done all the same.
   */
  readonly forgotten: (recordId: string) => Promise<void>
  readonly ledger: Pick<Ledger, 'readAgreement'>
  /** Names the ledger in the ids of schemas and definitions. */
  readonly namespace: string
  /** Items of requests for many offers that an organisation may send in any minute. */
  readonly offerItemsPerMinute: number
  /** Name and key on the ledger that belong to a seed. */
  readonly identityOf: (seed: Uint8Array) => { readonly did: string; readonly verkey: string }
  readonly activeTenants: Pick<ActiveTenants, 'refusal' | 'rateOf' | 'forget'>
  readonly passwords: Pick<Passwords, 'hash' | 'verify' | 'inSteps'>
  readonly clientAddress: ClientAddress
  readonly tokenTags: TokenTags
  readonly signInCounts: SignInCounts
  readonly feed: EventFeed
  /** Called for an event that no stream can show. */
  readonly unreadableEvent: (event: PublicEvent, error: unknown) => void
  /** The events that organisations can hear of, with what each says, as the description of the API has it. */
  readonly publishedEvents: readonly PublishedEvent[]
  /** For development only: webhooks over plain http, and to addresses of a private network. */
  readonly allowPrivateTargets: boolean
  /** The only ports of webhooks and wallets that are called; none: all of them. */
  readonly targetPorts?: readonly number[]
}

/** Where a holder's message came from, when, and how the types of its messages begin. */
export type MessageFrame = Prefixed & { readonly from: string; readonly atMs: number }

/** A message of a holder with the actor that its thread names. */
export type Addressee = {
  readonly to: Ref<KindTypes>
  /** Of problem reports about the exchange. */
  readonly problemCode: string
  /** Whether a report in a thread below this one is about it. */
  readonly isReportedBelow: boolean
  /** The formats that a message shows its wallet to know. */
  readonly formatsShown: (message: Message) => readonly WalletFormat[]
  /** A command, or `Enclosed`; null for a message that is none of the actor's protocol. Throws on one that cannot be read. */
  readonly commandOf: (message: Message, frame: MessageFrame) => unknown
}

/** What it hands to those who take the envelopes of wallets. */
export type InboundPorts = Pick<KindPorts, 'actors' | 'runtime' | 'vault' | 'bodies'> & {
  /** For development only: wallets at plain http, and at addresses of a private network. */
  readonly allowPrivateTargets: boolean
  readonly targetPorts?: readonly number[]
  readonly reporter: ProblemReporter
  readonly handshakes: Pick<HandshakeLimits, 'refusal' | 'begin'>
  readonly lateComers: LateComers
  readonly mediator: Pick<WalletMediator, 'receive' | 'keepsFor'>
  /** The exchange that a thread names; null where the thread names none. */
  readonly addresseeOf: (threadId: string) => Addressee | null
  /** The code that refuses what a message proposes in a protocol that some kind speaks; null when it proposes nothing. */
  readonly proposalCode: (message: Message) => string | null
}
