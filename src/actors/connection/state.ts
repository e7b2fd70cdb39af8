import type { EraseCommand, RecordErased } from '../../domain/erasure.ts'
import type { Change, Eraser, ExchangeTimes } from '../../domain/exchange.ts'
import type { Failed } from '../../domain/failures.ts'
import type { HandshakeProtocol } from '../../domain/handshake-protocols.ts'
import type { MessagePrefix } from '../../domain/message-prefix.ts'
import type { AnswerAttempts, AnswerEvent, Farewell } from './answer-attempts.ts'
import type { Closing, ExchangePage, WalkCommand, WalkEvent } from './closing.ts'
import type { ReuseCommand, ReuseEvent, Reuses } from './reuse.ts'
import type { BySender, WalletWays, WaysCommand, WaysEvent } from './wallet-ways.ts'

/**
 *   request-received ──response delivered──▶ response-sent ──complete──▶ completed
 *          └───────────── 24 h of silence, a problem ──▶ abandoned ◀────────┘ (never from completed)
 *
 * Its erasure closes it, from any of these; its wallet, by hanging up, from any but abandoned.
 */
export type ConnectionStatus = 'request-received' | 'response-sent' | 'completed' | 'abandoned' | 'closed'

type WalletService = {
  readonly endpoint: string
  readonly recipientKeys: readonly string[]
  readonly routingKeys: readonly string[]
}

/** What the holder's request says. Its personal fields (`their…`, ownSeed) are null once the record is erased. */
type Request = {
  readonly tenant: string
  readonly invitationId: string
  readonly externalId: string | null
  readonly threadId: string
  readonly theirLabel: string | null
  readonly theirDid: string | null
  readonly theirService: WalletService | null
  /** Seed of the key pair that this connection alone uses, base64url. */
  readonly ownSeed: string | null
  readonly ownKey: string
  readonly protocol: HandshakeProtocol
  readonly prefix: MessagePrefix
}

export type ConnectionRecord = Request &
  ExchangeTimes &
  WalletWays &
  Reuses & {
    readonly status: ConnectionStatus
    /** To answer its holder's request, and to say that the handshake is over. */
    readonly attempts: AnswerAttempts
    readonly errorMessage: string | null
    /** Null until its erasure, or until its wallet has hung up. */
    readonly closing: Closing | null
  }

type At = { readonly atMs: number }

export type ConnectionCommand =
  | ({ readonly type: 'RequestConnection' } & At & Request)
  /** `number`: which attempt this is the outcome of, counted from one. */
  | ({ readonly type: 'RecordResponseDelivered'; readonly number: number } & At)
  | ({ readonly type: 'RecordResponseFailed'; readonly number: number } & At)
  /** The address of the holder is one that is never written to. */
  | ({ readonly type: 'RecordResponseImpossible'; readonly reason: string; readonly number: number } & At)
  | ({ readonly type: 'RetryResponse' } & At)
  /** The holder has sent its request again. */
  | ({ readonly type: 'RepeatRequest' } & At)
  /** Its invitation is full, and others want to begin. */
  | ({ readonly type: 'GiveWay' } & At)
  /** `complete`, or for the older protocol the first message that only the holder can have written. */
  | ({ readonly type: 'ReceiveConnectionComplete' } & At)
  | ({ readonly type: 'ReceiveConnectionProblem'; readonly code: string; readonly text: string } & At)
  | ({ readonly type: 'AbandonConnection' } & At)
  /** The wallet wants no more of it. */
  | ({ readonly type: 'ReceiveHangup' } & BySender & At)
  | WaysCommand
  | ReuseCommand
  /** The beginning of an erasure, which still leaves the keys to write to the holder with. */
  | ({ readonly type: 'CloseConnection'; readonly tenant: string; readonly by: Eraser } & At)
  | EraseCommand
  /** The time of what its erasure leaves to be done has come. */
  | ({ readonly type: 'ContinueErasure' } & At)
  | WalkCommand
  /** Refuses unless exchanges may start; adds nothing, but stands in one batch with the exchange that is created. */
  | { readonly type: 'RequireConnectionReady'; readonly tenant: string }

export type ResponseOutcome = Extract<
  ConnectionCommand,
  { type: 'RecordResponseDelivered' | 'RecordResponseFailed' | 'RecordResponseImpossible' }
>

export type Moved = At & { readonly change: Change<ConnectionStatus> } & About
/** What a webhook says beside the change. */
type About = Pick<Request, 'tenant' | 'invitationId' | 'externalId'>

export type ConnectionEvent =
  | ({ readonly type: 'ConnectionRequested' } & At & Pick<Moved, 'change'> & Request)
  | AnswerEvent
  | ({ readonly type: 'ConnectionResponseSent' } & Moved)
  | ({ readonly type: 'ConnectionCompleted' } & Moved)
  | ({
      readonly type: 'ConnectionAbandoned'
      readonly errorMessage: string | null
      readonly farewell: Farewell
    } & Moved &
      Failed)
  | ({ readonly type: 'ConnectionClosed'; readonly by: Eraser } & Moved)
  | ({ readonly type: 'ConnectionHungUp' } & Moved)
  | WaysEvent
  | ReuseEvent
  | RecordErased
  | WalkEvent

export type ConnectionEffect =
  | { readonly id: string; readonly kind: 'deliver-response'; readonly connection: ConnectionRecord }
  | {
      readonly id: string
      readonly kind: 'erase-exchanges'
      readonly connection: ConnectionRecord
      readonly page: ExchangePage
    }
