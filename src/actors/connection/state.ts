import type { Change, Met } from '../../domain/exchange.ts'
import type { Refused } from '../../domain/refused.ts'

/**
 *   request-received ──response delivered──▶ response-sent ──complete──▶ completed ──▶ closed
 *          └───────────── 24 h of silence, a problem ──▶ abandoned ◀────────┘ (never from completed)
 */
export type ConnectionStatus = 'request-received' | 'response-sent' | 'completed' | 'abandoned' | 'closed'

export type TheirService = {
  readonly endpoint: string
  readonly recipientKeys: readonly string[]
  readonly routingKeys: readonly string[]
}

/** Personal fields (theirLabel, theirDid, theirService, ownSeed) are null once the record is erased. */
type Facts = {
  readonly tenant: string
  readonly invitationId: string
  readonly externalId: string | null
  readonly threadId: string
  readonly theirLabel: string | null
  readonly theirDid: string | null
  readonly theirService: TheirService | null
  /** Seed of the key pair that this connection alone uses, base64url. */
  readonly ownSeed: string | null
  readonly ownKey: string
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly waitingSinceMs: number
  readonly sequence: number
}

export type ConnectionRecord = Facts & {
  readonly status: ConnectionStatus
  readonly errorMessage: string | null
}
export type ConnectionState = { readonly status: 'none' } | ConnectionRecord

type RequestFacts = Pick<
  Facts,
  | 'tenant'
  | 'invitationId'
  | 'externalId'
  | 'threadId'
  | 'theirLabel'
  | 'theirDid'
  | 'theirService'
  | 'ownSeed'
  | 'ownKey'
>

export type ConnectionCommand =
  | ({ readonly type: 'RequestConnection'; readonly atMs: number } & RequestFacts)
  | { readonly type: 'RecordResponseDelivered'; readonly atMs: number }
  /** `complete`, or for the older protocol the first message that only the holder can have written. */
  | { readonly type: 'ReceiveConnectionComplete'; readonly atMs: number }
  | {
      readonly type: 'ReceiveConnectionProblem'
      readonly atMs: number
      readonly code: string
      readonly text: string
    }
  | { readonly type: 'AbandonConnection'; readonly atMs: number }
  /** Refuses unless exchanges may start; adds nothing, but stands in one batch with the exchange that is created. */
  | { readonly type: 'RequireConnectionReady'; readonly tenant: string }
  | { readonly type: 'ReadConnection' }

type Moved = { readonly atMs: number; readonly change: Change<ConnectionStatus> }
type About = Pick<Facts, 'tenant' | 'invitationId' | 'externalId'>

export type ConnectionEvent =
  | ({ readonly type: 'ConnectionRequested' } & Moved & RequestFacts)
  | ({ readonly type: 'ConnectionResponseSent' } & Moved & About)
  | ({ readonly type: 'ConnectionCompleted' } & Moved & About)
  | ({ readonly type: 'ConnectionAbandoned'; readonly errorMessage: string | null } & Moved & About)

export type ConnectionReply = { readonly connection: ConnectionRecord } | Met | Refused

export type ConnectionEffect = {
  readonly id: string
  readonly kind: 'deliver-response'
  readonly connection: ConnectionRecord
}
