// Made from the API description by `npm run generate`.
import type { CallOptions, KeyedCallOptions, Send, WriteOptions } from '../call.ts'
import { eachOf } from '../pages.ts'

export type Biometric = {
  /** Always true. */
  readonly required: true
  /** pending; passed; failed, when no attempt is left; expired, when its time was over first; cancelled, when the exchange ended first. */
  readonly status: 'pending' | 'passed' | 'failed' | 'expired' | 'cancelled'
  /** Attempts that have counted. */
  readonly attempts: number
  /** Attempts that are left. */
  readonly attemptsRemaining: number
  /** How sure the vendor was of a living person in the newest attempt, 0 to 100; null where it says none, before an attempt, and once it is erased. */
  readonly livenessScore: number | null
  /** How alike the face and the reference image were, likewise. */
  readonly matchScore: number | null
  /** Why the newest attempt was not passed; null where it was, and once it is erased. */
  readonly reason: string | null
  /** When its time is over. */
  readonly expiresAt: string
  /** When it came to its end. */
  readonly decidedAt: string | null
}

export type Connection = {
  /** Names the connection. */
  readonly id: string
  /** How far the connection is: request-received, response-sent, completed, abandoned or closed (erased, or the wallet has hung up). */
  readonly state: string
  /** The invitation that the holder answered. */
  readonly invitationId: string | null
  /** What the wallet calls itself; null once it is erased. */
  readonly theirLabel: string | null
  /** Your own name for it, from the invitation. */
  readonly externalId: string | null
  /** When its personal data was erased. */
  readonly erasedAt: string | null
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
}

export type ConnectionPage = {
  /** The records of this page, newest first. */
  readonly items: readonly Connection[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type ConnectionStateChanged = {
  /** The event, the same in every delivery: drop what you have seen already by it. */
  readonly id: string
  /** What has happened. */
  readonly type: 'connection.state_changed'
  /** When it happened. */
  readonly createdAt: string
  /** The organisation. */
  readonly tenantId: string
  /** What has happened to which record. */
  readonly data: {
    /** The record. */
    readonly id: string
    /** Its state now. */
    readonly state: string
    /** Its state before; null in its first event. */
    readonly previousState: string | null
    /** Your own name for the record. */
    readonly externalId: string | null
    /** When the record changed. */
    readonly updatedAt: string
    /** Counts the events of this record: 1, 2, 3 …, without gaps, the same however often it comes. */
    readonly sequence: number
    /** The invitation that was answered. */
    readonly invitationId: string | null
  }
}

export type Credential = {
  /** Names the credential exchange. */
  readonly id: string
  /** How far the exchange is: offer-sent, request-received, credential-issued, done, declined or abandoned. */
  readonly state: string
  /** The connection to the holder. */
  readonly connectionId: string | null
  /** The thread of the messages with the wallet. */
  readonly threadId: string | null
  /** Your own name for it, from the offer. */
  readonly externalId: string | null
  /** What is issued: the catalogue id of the definition. */
  readonly credentialDefinitionId: string | null
  /** The values that were offered; null once they are erased. */
  readonly attributes: { readonly [name: string]: string } | null
  /** Why the exchange was declined or abandoned; null while nothing went wrong. */
  readonly errorMessage: string | null
  /** The face check; null when no biometric policy applied. */
  readonly biometric: Biometric | null
  /** When its personal data was erased. */
  readonly erasedAt: string | null
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
}

export type CredentialDefinition = {
  /** Names the definition in the catalogue; offers take it. */
  readonly id: string
  /** The ledger id of its schema. */
  readonly schemaId: string | null
  /** The name of its schema. */
  readonly schemaName: string
  /** The version of its schema. */
  readonly schemaVersion: string
  /** Tells several definitions of one schema apart. */
  readonly tag: string
  /** How far publishing is: pending, awaiting_endorsement, endorsed, published, deprecated or failed. */
  readonly status: string
  /** Its id on the ledger, once it is published; offers take it as well. */
  readonly credentialDefinitionId: string | null
  /** The same as a DID URL. */
  readonly qualifiedId: string | null
  /** What went wrong when it was published last. */
  readonly lastError: string | null
}

export type CredentialDefinitionPage = {
  /** The records of this page, newest first. */
  readonly items: readonly CredentialDefinition[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type CredentialOfferItem = {
  /** Its place in the request, counted from 0. */
  readonly index: number
  /** Your name for it, from the request. */
  readonly idempotencyKey: string | null
  /** The credential exchange; null while it waits, and where it is refused. */
  readonly credentialId: string | null
  /** Why it is refused: the code that the offer would be answered with by itself. Null while it waits, and where it is offered. */
  readonly error: string | null
  /** The same in a sentence. */
  readonly reason: string | null
}

export type CredentialOfferItemPage = {
  /** The records of this page, in the order of the request. */
  readonly items: readonly CredentialOfferItem[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type CredentialOfferJob = {
  /** Names the job. */
  readonly id: string
  /** How many offers the request has. */
  readonly total: number
  /** How many of them are offered, those among them that had been offered before. */
  readonly offered: number
  /** How many are refused; the items say why. */
  readonly refused: number
  /** `finished`: every item has its result; it goes on as an exchange of its own. */
  readonly status: 'running' | 'finished'
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
}

export type CredentialOfferJobPage = {
  /** The records of this page, newest first. */
  readonly items: readonly CredentialOfferJob[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type CredentialPage = {
  /** The records of this page, newest first. */
  readonly items: readonly Credential[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type CredentialStateChanged = {
  /** The event, the same in every delivery: drop what you have seen already by it. */
  readonly id: string
  /** What has happened. */
  readonly type: 'credential.state_changed'
  /** When it happened. */
  readonly createdAt: string
  /** The organisation. */
  readonly tenantId: string
  /** What has happened to which record. */
  readonly data: {
    /** The record. */
    readonly id: string
    /** Its state now. */
    readonly state: string
    /** Its state before; null in its first event. */
    readonly previousState: string | null
    /** Your own name for the record. */
    readonly externalId: string | null
    /** When the record changed. */
    readonly updatedAt: string
    /** Counts the events of this record: 1, 2, 3 …, without gaps, the same however often it comes. */
    readonly sequence: number
    /** The connection to the holder. */
    readonly connectionId: string | null
    /** What is issued. */
    readonly credentialDefinitionId: string | null
    /** Why the exchange was declined or abandoned. */
    readonly errorMessage: string | null
    /** The face check; null when no biometric policy applied. */
    readonly biometric: Biometric | null
  }
}

export type DataRetention = {
  /** Days after the end of an exchange; 0 keeps its personal data until it is erased. */
  readonly retentionDays: number
  /** What holds until it is set. */
  readonly default: number
  /** When it was set last. */
  readonly changedAt: string | null
}

export type Erasure = {
  /** Names the entry. */
  readonly id: string
  /** What kind of record it was. */
  readonly recordType: 'connection' | 'credential' | 'proof'
  /** The record, which stays without its personal data. */
  readonly recordId: string
  /** On whose request. */
  readonly initiator: 'api_key' | 'tenant_member' | 'operator'
  /** When it was erased. */
  readonly erasedAt: string
}

export type ErasurePage = {
  /** The records of this page, newest first. */
  readonly items: readonly Erasure[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type Invitation = {
  /** Names the invitation. */
  readonly invitationId: string
  /** To be shown as a link or a QR code. */
  readonly invitationUrl: string
  /** Whether many holders may answer it. */
  readonly multiUse: boolean
}

export type KeyGeneration = {
  /** The definition, by its catalogue id. */
  readonly credentialDefinitionId: string
  /** Whether others have their turn, its keys are being made, are made, or could not be made. */
  readonly state: 'waiting' | 'running' | 'made' | 'failed'
  /** When they were begun last, while they are being made. */
  readonly beganAt: string | null
  /** For how long they have been made, while they are. */
  readonly runningSeconds: number | null
}

export type Ledger = {
  /** Which network this is. */
  readonly indyNamespace: string
  /** The pool, as wallets have to know it. */
  readonly genesis: {
    /** The genesis file, which never changes at its address: fetch it once. */
    readonly url: string
    /** The checksum of the bytes of the file, in hex. */
    readonly sha256: string
    /** Its detached signature: Ed25519 over the bytes of the file, as base64 text. How it is checked with openssl stands in the guide, [The ledger](/docs/ledger). */
    readonly signatureUrl: string
    /** The Ed25519 key that checks the signature, in PEM. */
    readonly signingPublicKey: string
  }
  /** Where the ledger can be read over HTTP, for networks that block its ports: the paths of indy-vdr-proxy (`/genesis`, `/nym/…`, `/schema/…`, `/cred_def/…`, `/attrib/…`, `/taa`, `/aml`, `/txn/…`), of which none writes. Null where it is switched off. */
  readonly vdrProxyUrl: string | null
}

export type Proof = {
  /** Names the proof exchange. */
  readonly id: string
  /** How far the exchange is: request-sent, presentation-received, done, declined or abandoned. */
  readonly state: string
  /** The connection to the holder. */
  readonly connectionId: string | null
  /** The thread of the messages with the wallet. */
  readonly threadId: string | null
  /** Your own name for it, from the request. */
  readonly externalId: string | null
  /** What was asked for. */
  readonly proofTemplateId: string | null
  /** Whether the proof holds; null until the exchange is done. */
  readonly verified: boolean | null
  /** What the holder disclosed, by group; empty when the proof does not hold, null until the exchange is done and once it is erased. */
  readonly disclosed: { readonly [name: string]: { readonly [name: string]: string } } | null
  /** Why the exchange was declined or abandoned; null while nothing went wrong. */
  readonly errorMessage: string | null
  /** The face check; null when no biometric policy applied. */
  readonly biometric: Biometric | null
  /** When its personal data was erased. */
  readonly erasedAt: string | null
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
}

export type ProofPage = {
  /** The records of this page, newest first. */
  readonly items: readonly Proof[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type ProofStateChanged = {
  /** The event, the same in every delivery: drop what you have seen already by it. */
  readonly id: string
  /** What has happened. */
  readonly type: 'proof.state_changed'
  /** When it happened. */
  readonly createdAt: string
  /** The organisation. */
  readonly tenantId: string
  /** What has happened to which record. */
  readonly data: {
    /** The record. */
    readonly id: string
    /** Its state now. */
    readonly state: string
    /** Its state before; null in its first event. */
    readonly previousState: string | null
    /** Your own name for the record. */
    readonly externalId: string | null
    /** When the record changed. */
    readonly updatedAt: string
    /** Counts the events of this record: 1, 2, 3 …, without gaps, the same however often it comes. */
    readonly sequence: number
    /** The connection to the holder. */
    readonly connectionId: string | null
    /** What was asked for. */
    readonly proofTemplateId: string | null
    /** Whether the proof holds; null until the exchange is done. */
    readonly verified: boolean | null
    /** What the holder disclosed, by group; null until the exchange is done. */
    readonly disclosed: { readonly [name: string]: { readonly [name: string]: string } } | null
    /** The face check; null when no biometric policy applied. */
    readonly biometric: Biometric | null
  }
}

export type ProofTemplate = {
  /** Names the template. */
  readonly id: string
  /** What it is called. */
  readonly name: string
  /** What it is for, for people. */
  readonly description: string | null
  /** What is asked for, one credential for each group. */
  readonly groups: readonly ({
    /** What the group is called in `disclosed`; each group has a name of its own. Letters, digits, hyphens and underscores. */
    readonly name: string
    /** One credential of any of these definitions answers the whole group. */
    readonly credentialDefinitionIds: readonly string[]
    /** What the holder has to disclose; each definition of the group must have it. */
    readonly attributes: readonly string[]
  })[]
  /** What has to be true of attributes that are not disclosed, of whole numbers of 32 bits alone. With the expiry of each group, its bound, and a bound for each attribute that `>` or `>=` compares, a proof has at most 64 comparisons. */
  readonly predicates: readonly ({
    /** One of the groups, whose credential has to fulfil it. Letters, digits, hyphens and underscores. */
    readonly group: string
    /** An attribute that holds a number. */
    readonly attribute: string
    /** How the attribute compares with the value. */
    readonly operator: '>=' | '>' | '<=' | '<'
    /** A number, or a date that is worked out when the proof is requested. */
    readonly value: number | {
      /** The day so many years before today, as YYYYMMDD. */
      readonly yearsAgo: number
    } | {
      /** The time so many seconds from now, as Unix seconds. */
      readonly secondsFromNow: number
    }
  })[]
  /** Whether the holder passes a face check before the result is shown; false unless it is set. */
  readonly biometricRequired: boolean
  /** active, or archived: no proof is requested with it any more. */
  readonly status: string
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
}

export type ProofTemplatePage = {
  /** The records of this page, newest first. */
  readonly items: readonly ProofTemplate[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type RecordErased = {
  /** The event, the same in every delivery: drop what you have seen already by it. */
  readonly id: string
  /** What has happened. */
  readonly type: 'record.erased'
  /** When it happened. */
  readonly createdAt: string
  /** The organisation. */
  readonly tenantId: string
  /** What has happened to which record. */
  readonly data: {
    /** What kind of record it was. */
    readonly recordType: 'connection' | 'credential' | 'proof'
    /** The record, which stays without its personal data. */
    readonly recordId: string
    /** Your own name for the record. */
    readonly externalId: string | null
    /** When it was erased. */
    readonly erasedAt: string
    /** On whose request. */
    readonly initiator: 'api_key' | 'tenant_member' | 'operator'
    /** When the record changed. */
    readonly updatedAt: string
    /** Counts the events of this record: 1, 2, 3 …, without gaps, the same however often it comes. */
    readonly sequence: number
  }
}

export type Schema = {
  /** Names the schema in the catalogue. */
  readonly id: string
  /** What the schema is called on the ledger. */
  readonly name: string
  /** A published schema never changes; a change is a new version. */
  readonly version: string
  /** The names of its attributes. */
  readonly attributes: readonly string[] | null
  /** How far publishing is: pending, awaiting_endorsement, endorsed, published, deprecated or failed. */
  readonly status: string
  /** Its id on the ledger, once it is published. */
  readonly schemaId: string | null
  /** The same as a DID URL. */
  readonly qualifiedId: string | null
  /** What went wrong when it was published last. */
  readonly lastError: string | null
}

export type SchemaPage = {
  /** The records of this page, newest first. */
  readonly items: readonly Schema[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type Timeline = {
  /** Everything that has happened to it, the oldest first. */
  readonly items: readonly TimelineItem[]
}

export type TimelineItem = {
  /** When it happened. */
  readonly at: string
  /** A state of the record, a message from the wallet or to it, an event that you hear of, an attempt to deliver it to your webhook, a face check. */
  readonly kind: 'state' | 'message_in' | 'message_out' | 'event' | 'delivery' | 'biometric'
  /** The state, the message, the type of the event, or what became of the attempt to deliver it or of the face check. */
  readonly name: string
  /** The id of the event; of an attempt what it came to; of a state in which it failed, why, in a word. */
  readonly detail: string | null
}

export type TriggeredEvent = {
  /** The event, as the listeners have it. */
  readonly id: string
  /** What it says has happened. */
  readonly type: string
  /** When it was sent. */
  readonly createdAt: string
  /** How many streams the event was handed to; 0: no stream is open, and no stream gets the event later. */
  readonly listeners: number
}

export type Wallet = {
  /** Names the wallet. */
  readonly id: string
  /** The UUID that the app made once. */
  readonly installationId: string
  /** Your own name for it. */
  readonly externalId: string | null
  /** pending until the app has connected, then active; revoked is for ever. */
  readonly status: string
  /** When the app connected to the mediator first. */
  readonly connectedAt: string | null
  /** When the app was there last, to a quarter of an hour. */
  readonly lastSeenAt: string | null
  /** When it was revoked. */
  readonly revokedAt: string | null
  /** Who revoked it: tenant, or never_connected for the service after 7 days. */
  readonly revokedBy: string | null
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
}

export type WalletPage = {
  /** The records of this page, newest first. */
  readonly items: readonly Wallet[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type WalletSyncRequested = {
  /** The event, the same in every delivery: drop what you have seen already by it. */
  readonly id: string
  /** What has happened. */
  readonly type: 'wallet.sync_requested'
  /** When it happened. */
  readonly createdAt: string
  /** The organisation. */
  readonly tenantId: string
  /** What has happened to which record. */
  readonly data: {
    /** The wallet whose app should be woken. */
    readonly walletId: string
    /** Your own name for the record. */
    readonly externalId: string | null
    /** When the record changed. */
    readonly updatedAt: string
    /** Counts the events of this record: 1, 2, 3 …, without gaps, the same however often it comes. */
    readonly sequence: number
  }
}

export type WalletWithToken = {
  /** Names the wallet. */
  readonly id: string
  /** The UUID that the app made once. */
  readonly installationId: string
  /** Your own name for it. */
  readonly externalId: string | null
  /** pending until the app has connected, then active; revoked is for ever. */
  readonly status: string
  /** When the app connected to the mediator first. */
  readonly connectedAt: string | null
  /** When the app was there last, to a quarter of an hour. */
  readonly lastSeenAt: string | null
  /** When it was revoked. */
  readonly revokedAt: string | null
  /** Who revoked it: tenant, or never_connected for the service after 7 days. */
  readonly revokedBy: string | null
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
  /** For the app; shown in this answer alone. */
  readonly walletToken: string
}

export type WebhookAttempt = {
  /** When it began. */
  readonly at: string
  /** Where it went. */
  readonly url: string
  /** What was answered; null: nothing. */
  readonly status: number | null
  /** From connecting to the end of the answer. */
  readonly latencyMs: number
  /** Why it failed. */
  readonly error: string | null
  /** The first 1024 bytes of what was answered; null where that was nothing, and once the record is erased. */
  readonly answer: string | null
}

export type WebhookDelivery = {
  /** Names the delivery. */
  readonly id: string
  /** The event. */
  readonly eventId: string
  /** Its type. */
  readonly eventType: string
  /** Whether it is still tried, has arrived, or is given up after its last attempt. */
  readonly status: 'pending' | 'delivered' | 'dead'
  /** Attempts that were made. */
  readonly attempts: number
  /** After so many it is dead; a retry begins a new schedule. */
  readonly maxAttempts: number
  /** When it is tried next, at the earliest; null: it is over, or waits for a webhook endpoint. */
  readonly nextAttemptAt: string | null
  /** When it was tried last. */
  readonly lastAttemptAt: string | null
  /** What was answered then; null: nothing. */
  readonly lastResponseStatus: number | null
  /** Why the last attempt failed. */
  readonly lastError: string | null
  /** Where the last attempt went. */
  readonly url: string | null
  /** What kind of record the event is about. */
  readonly recordType: string
  /** The record. */
  readonly recordId: string
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
}

export type WebhookDeliveryPage = {
  /** The records of this page, newest first. */
  readonly items: readonly WebhookDelivery[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type WebhookDeliveryWithAttempts = {
  /** Names the delivery. */
  readonly id: string
  /** The event. */
  readonly eventId: string
  /** Its type. */
  readonly eventType: string
  /** Whether it is still tried, has arrived, or is given up after its last attempt. */
  readonly status: 'pending' | 'delivered' | 'dead'
  /** Attempts that were made. */
  readonly attempts: number
  /** After so many it is dead; a retry begins a new schedule. */
  readonly maxAttempts: number
  /** When it is tried next, at the earliest; null: it is over, or waits for a webhook endpoint. */
  readonly nextAttemptAt: string | null
  /** When it was tried last. */
  readonly lastAttemptAt: string | null
  /** What was answered then; null: nothing. */
  readonly lastResponseStatus: number | null
  /** Why the last attempt failed. */
  readonly lastError: string | null
  /** Where the last attempt went. */
  readonly url: string | null
  /** What kind of record the event is about. */
  readonly recordType: string
  /** The record. */
  readonly recordId: string
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
  /** The newest attempts, in their order. */
  readonly attemptLog: readonly WebhookAttempt[]
}

export type WebhookEndpoint = {
  /** Where events are posted to; null: no endpoint is set. */
  readonly url: string | null
  /** Events of these types alone; null: all of them. */
  readonly eventTypes: readonly string[] | null
  /** When the signing secret was made. */
  readonly secretCreatedAt: string | null
  /** Until when deliveries carry the signature of the secret before, too. */
  readonly previousSecretExpiresAt: string | null
  /** When deliveries were switched off. */
  readonly disabledAt: string | null
  /** When the endpoint was set first. */
  readonly createdAt: string | null
  /** When the endpoint changed last. */
  readonly updatedAt: string | null
}

export type WebhookTest = {
  /** The event, the same in every delivery: drop what you have seen already by it. */
  readonly id: string
  /** What has happened. */
  readonly type: 'webhook.test'
  /** When it happened. */
  readonly createdAt: string
  /** The organisation. */
  readonly tenantId: string
  /** What has happened to which record. */
  readonly data: {
    /** Says that it is a test. */
    readonly message: string
    /** When the record changed. */
    readonly updatedAt: string
    /** Counts the events of this record: 1, 2, 3 …, without gaps, the same however often it comes. */
    readonly sequence: number
  }
}

/** Whatever is posted to the webhook endpoint; there may be more types than these some day. */
export type WebhookEvent =
  | ConnectionStateChanged
  | CredentialStateChanged
  | ProofStateChanged
  | WalletSyncRequested
  | RecordErased
  | WebhookTest

/** Every code of this version of the API. A later version may have more. */
export type ErrorCode =
  | 'invalid_request'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'connection_not_found'
  | 'credential_definition_not_found'
  | 'proof_template_not_found'
  | 'method_not_allowed'
  | 'idempotency_in_progress'
  | 'wallet_revoked'
  | 'exchange_running'
  | 'exchange_over'
  | 'connection_not_ready'
  | 'credential_definition_not_published'
  | 'schema_not_published'
  | 'endorsement_decided'
  | 'agreement_outdated'
  | 'organisation_not_ready'
  | 'biometric_vendor_missing'
  | 'record_erased'
  | 'already_published'
  | 'organisation_being_deleted'
  | 'no_cluster'
  | 'plan_outdated'
  | 'move_not_possible'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'idempotency_key_reused'
  | 'attributes_mismatch'
  | 'attributes_too_many'
  | 'attribute_name_too_long'
  | 'attribute_value_too_large'
  | 'attributes_too_large'
  | 'expires_at_required'
  | 'expires_at_invalid'
  | 'biometric_reference_required'
  | 'reference_image_invalid'
  | 'biometric_setup_invalid'
  | 'ledger_ceiling_reached'
  | 'step_up_required'
  | 'already_member'
  | 'has_administrator'
  | 'last_administrator'
  | 'members_too_many'
  | 'mailbox_full'
  | 'rate_limited'
  | 'internal'
  | 'unavailable'
  | 'overloaded'

export type CreateInvitationBody = {
  /** Whether many holders may answer it, at a kiosk for example; false by default. */
  readonly multiUse?: boolean | undefined
  /** Who invites, as the wallet shows it; the name of the organisation by default. */
  readonly alias?: string | undefined
  /** Your own name for it, shown on the record and in every event. Nothing personal. */
  readonly externalId?: string | undefined
}

export type ListConnectionsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** Created at this time or later; a date-time with Z or an offset. */
  readonly from?: string | undefined
  /** Created before this time; a date-time with Z or an offset. */
  readonly to?: string | undefined
  /** In this state; repeated, in any of them. */
  readonly state?: readonly string[] | undefined
  /** A text that the external id contains, whatever the case of its letters. */
  readonly externalId?: string | undefined
  /** The invitation that was answered, by a new connection or by one that its wallet had and used again. */
  readonly invitationId?: string | undefined
}

export type OfferCredentialBody = {
  /** The connection to the holder. */
  readonly connectionId: string
  /** What is issued: the catalogue id or the ledger id of a published definition. */
  readonly credentialDefinitionId: string
  /** A value for every attribute of the schema, as text; `expiresAt` is Unix seconds in the future. At most 125. */
  readonly attributes: {
    /** When the credential ends, in Unix seconds. */
    readonly expiresAt: string
    readonly [name: string]: string
  }
  /** Your own name for it, shown on the record and in every event. Nothing personal. */
  readonly externalId?: string | undefined
  /** Needed where the biometric policy asks for a face check, ignored otherwise. */
  readonly biometric?: {
    /** One face, as JPEG or PNG in base64. */
    readonly referenceImage: string
  } | undefined
}

export type ListCredentialsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** Created at this time or later; a date-time with Z or an offset. */
  readonly from?: string | undefined
  /** Created before this time; a date-time with Z or an offset. */
  readonly to?: string | undefined
  /** In this state; repeated, in any of them. */
  readonly state?: readonly string[] | undefined
  /** A text that the external id contains, whatever the case of its letters. */
  readonly externalId?: string | undefined
  /** The connection to the holder. */
  readonly connectionId?: string | undefined
}

export type OfferCredentialsBody = {
  /** At most 1,000 offers, each as it would be by itself, without a reference image. */
  readonly items: readonly ({
    /** Your name for this offer: it is made once, however often it is sent under this key, here or by itself. No two items of a request have the same. */
    readonly idempotencyKey: string
    /** The connection to the holder. */
    readonly connectionId: string
    /** What is issued: the catalogue id or the ledger id of a published definition. */
    readonly credentialDefinitionId: string
    /** A value for every attribute of the schema, as text; `expiresAt` is Unix seconds in the future. At most 125. */
    readonly attributes: { readonly [name: string]: string }
    /** Your own name for it, shown on the record and in every event. Nothing personal. */
    readonly externalId?: string | undefined
  })[]
}

export type ListCredentialOfferJobsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** In this state. */
  readonly status?: 'running' | 'finished' | undefined
}

export type ListCredentialOfferItemsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** What became of them. */
  readonly outcome?: 'waiting' | 'offered' | 'refused' | undefined
}

export type RequestProofBody = {
  /** The connection to the holder. */
  readonly connectionId: string
  /** What is asked for. */
  readonly proofTemplateId: string
  /** Your own name for it, shown on the record and in every event. Nothing personal. */
  readonly externalId?: string | undefined
  /** Needed where the biometric policy asks for a face check, ignored otherwise. */
  readonly biometric?: {
    /** One face, as JPEG or PNG in base64. */
    readonly referenceImage: string
  } | undefined
}

export type ListProofsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** Created at this time or later; a date-time with Z or an offset. */
  readonly from?: string | undefined
  /** Created before this time; a date-time with Z or an offset. */
  readonly to?: string | undefined
  /** In this state; repeated, in any of them. */
  readonly state?: readonly string[] | undefined
  /** A text that the external id contains, whatever the case of its letters. */
  readonly externalId?: string | undefined
  /** The connection to the holder. */
  readonly connectionId?: string | undefined
  /** What is asked for. */
  readonly proofTemplateId?: string | undefined
  /** Whether the proof holds. */
  readonly verified?: boolean | undefined
}

export type ListSchemasQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** In this state. */
  readonly status?: 'pending' | 'awaiting_endorsement' | 'endorsed' | 'published' | 'deprecated' | 'failed' | undefined
}

export type ListCredentialDefinitionsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** In this state. */
  readonly status?: 'pending' | 'awaiting_endorsement' | 'endorsed' | 'published' | 'deprecated' | 'failed' | undefined
}

export type ListProofTemplatesQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
}

export type ListWalletsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** In this state. */
  readonly status?: 'pending' | 'active' | 'revoked' | undefined
  /** A text that the external id contains, whatever the case of its letters. */
  readonly externalId?: string | undefined
}

export type CreateWalletBody = {
  /** Your own name for it, shown on the record and in every event. Nothing personal. */
  readonly externalId?: string | undefined
}

export type TriggerEventBody = {
  /** What is to have happened. */
  readonly eventType: 'connection.state_changed' | 'credential.state_changed' | 'proof.state_changed' | 'wallet.sync_requested' | 'record.erased' | 'webhook.test'
}

export type ListWebhookDeliveriesQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** Created at this time or later; a date-time with Z or an offset. */
  readonly from?: string | undefined
  /** Created before this time; a date-time with Z or an offset. */
  readonly to?: string | undefined
  /** In this state. */
  readonly status?: 'pending' | 'delivered' | 'dead' | undefined
  /** Of events of this type. */
  readonly eventType?: 'connection.state_changed' | 'credential.state_changed' | 'proof.state_changed' | 'wallet.sync_requested' | 'record.erased' | 'webhook.test' | undefined
  /** Of events of this record. */
  readonly recordId?: string | undefined
}

export type ListErasuresQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** Created at this time or later; a date-time with Z or an offset. */
  readonly from?: string | undefined
  /** Created before this time; a date-time with Z or an offset. */
  readonly to?: string | undefined
  /** What kind of record it was. */
  readonly recordType?: 'connection' | 'credential' | 'proof' | undefined
  /** On whose request. */
  readonly initiator?: 'api_key' | 'tenant_member' | 'operator' | undefined
}

/** A method for each operation that an API key may call. */
export class TenantApi {
  readonly #send: Send

  constructor(send: Send) {
    this.#send = send
  }

  /**
   * Creates an invitation for one holder or for many.
   *
   * Show `invitationUrl` to the holder as a link or a QR code. Opened in a browser, it is a page with a QR code of its own. When a wallet answers, a connection comes to be with the `externalId` that is given here, and `connection.state_changed` tells each of its steps up to `completed`. A wallet that has a connection to you may use that one again instead: no state changes and no event comes, and `GET /v1/connections` finds it by this `invitationId`, with the `invitationId` and `externalId` that it came to be with.
   *
   * For an API key or a member in the console.
   *
   * May be sent again safely under an `Idempotency-Key`.
   */
  createInvitation(body: CreateInvitationBody, options?: WriteOptions): Promise<Invitation> {
    return this.#send({ method: 'POST', path: '/v1/connections/invitations', body, keyed: true }, options)
  }

  /**
   * Lists connections, newest first.
   *
   * `q` looks in the external id and in what the wallet calls itself.
   *
   * For an API key or a member in the console.
   */
  listConnections(query: ListConnectionsQuery = {}, options?: CallOptions): Promise<ConnectionPage> {
    return this.#send({ method: 'GET', path: '/v1/connections', query }, options)
  }

  /** Goes through connections, newest first, page by page. */
  eachConnection(query: Omit<ListConnectionsQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<Connection, void, undefined> {
    return eachOf((asked: ListConnectionsQuery) => this.listConnections(asked, options), query, 'to')
  }

  /**
   * Shows a connection.
   *
   * A connection is ready for offers and proof requests when its state is `completed`.
   *
   * For an API key or a member in the console.
   */
  getConnection(id: string, options?: CallOptions): Promise<Connection> {
    return this.#send({ method: 'GET', path: `/v1/connections/${encodeURIComponent(id)}` }, options)
  }

  /**
   * Shows step by step what has happened to a connection.
   *
   * States, messages, events and the attempts to deliver them, with their times. Nothing in it is personal, so it stays when the record is erased; attempts go when the retention of the record is over.
   *
   * For an API key or a member in the console.
   */
  getConnectionTimeline(id: string, options?: CallOptions): Promise<Timeline> {
    return this.#send({ method: 'GET', path: `/v1/connections/${encodeURIComponent(id)}/timeline` }, options)
  }

  /**
   * Erases the personal data of a connection.
   *
   * In whatever state it is, it is `closed` and erased when this answers, and none of its exchanges shows personal data any more. What was still running on it becomes `abandoned`, which the wallet is told once; then each exchange is erased, with its own `record.erased` and its entry in `GET /v1/erasures`: with thousands of exchanges that takes some minutes. The credentials in the wallet stay valid. Erasing it again changes nothing.
   *
   * For an API key or a member in the console.
   *
   * May be sent again safely under an `Idempotency-Key`.
   */
  eraseConnection(id: string, options?: WriteOptions): Promise<Connection> {
    return this.#send({ method: 'POST', path: `/v1/connections/${encodeURIComponent(id)}/erase`, keyed: true }, options)
  }

  /**
   * Offers a credential to the holder of a connection.
   *
   * Answers at once; the holder decides minutes or hours later. `credential.state_changed` tells each step up to `done`. A holder who is silent for 24 hours lets the exchange end as `abandoned`. The values are signed into a credential that is kept in the wallet alone.
   *
   * For an API key or a member in the console.
   *
   * May be sent again safely under an `Idempotency-Key`.
   */
  offerCredential(body: OfferCredentialBody, options?: WriteOptions): Promise<Credential> {
    return this.#send({ method: 'POST', path: '/v1/credentials/offer', body, keyed: true }, options)
  }

  /**
   * Lists credential exchanges, newest first.
   *
   * `q` looks in the external id.
   *
   * For an API key or a member in the console.
   */
  listCredentials(query: ListCredentialsQuery = {}, options?: CallOptions): Promise<CredentialPage> {
    return this.#send({ method: 'GET', path: '/v1/credentials', query }, options)
  }

  /** Goes through credential exchanges, newest first, page by page. */
  eachCredential(query: Omit<ListCredentialsQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<Credential, void, undefined> {
    return eachOf((asked: ListCredentialsQuery) => this.listCredentials(asked, options), query, 'to')
  }

  /**
   * Shows a credential exchange.
   *
   * For an API key or a member in the console.
   */
  getCredential(id: string, options?: CallOptions): Promise<Credential> {
    return this.#send({ method: 'GET', path: `/v1/credentials/${encodeURIComponent(id)}` }, options)
  }

  /**
   * Shows step by step what has happened to a credential exchange.
   *
   * States, messages, events and the attempts to deliver them, with their times. Nothing in it is personal, so it stays when the record is erased; attempts go when the retention of the record is over.
   *
   * For an API key or a member in the console.
   */
  getCredentialTimeline(id: string, options?: CallOptions): Promise<Timeline> {
    return this.#send({ method: 'GET', path: `/v1/credentials/${encodeURIComponent(id)}/timeline` }, options)
  }

  /**
   * Ends a credential exchange that is still running.
   *
   * It is `abandoned` from here on, and the wallet hears so by a problem report. What is over already is 409.
   *
   * For an API key or a member in the console.
   *
   * May be sent again safely under an `Idempotency-Key`.
   */
  cancelCredential(id: string, options?: WriteOptions): Promise<Credential> {
    return this.#send({ method: 'POST', path: `/v1/credentials/${encodeURIComponent(id)}/cancel`, keyed: true }, options)
  }

  /**
   * Erases the personal data of a credential exchange.
   *
   * At once and for ever, for this service; what the holder has stays with the holder. The record stays, with `erasedAt` and its personal fields null, and so does its entry in `GET /v1/erasures`. What is still running is 409: cancel it first, or wait for its end. Erasing it again changes nothing.
   *
   * For an API key or a member in the console.
   *
   * May be sent again safely under an `Idempotency-Key`.
   */
  eraseCredential(id: string, options?: WriteOptions): Promise<Credential> {
    return this.#send({ method: 'POST', path: `/v1/credentials/${encodeURIComponent(id)}/erase`, keyed: true }, options)
  }

  /**
   * Offers up to 1,000 credentials.
   *
   * Answers when everything is kept, with a job that offers one item after the other, each as `POST /v1/credentials/offer` would under the same key: `/v1/credential-offer-jobs/{id}/items` shows what became of each, and `credential.state_changed` tells each step of its exchange. An item that is refused stops no other. A request that is not well-formed is refused whole. Items of requests for many have a rate of their own in any minute, for all keys of the organisation together.
   *
   * For an API key or a member in the console.
   *
   * May be sent again safely under an `Idempotency-Key`.
   */
  offerCredentials(body: OfferCredentialsBody, options?: WriteOptions): Promise<CredentialOfferJob> {
    return this.#send({ method: 'POST', path: '/v1/credentials/offers', body, keyed: true }, options)
  }

  /**
   * Lists the jobs of many offers, newest first.
   *
   * A job is listed until 7 days after its end. `q` looks in its id.
   *
   * For an API key or a member in the console.
   */
  listCredentialOfferJobs(query: ListCredentialOfferJobsQuery = {}, options?: CallOptions): Promise<CredentialOfferJobPage> {
    return this.#send({ method: 'GET', path: '/v1/credential-offer-jobs', query }, options)
  }

  /** Goes through the jobs of many offers, newest first, page by page. */
  eachCredentialOfferJob(query: Omit<ListCredentialOfferJobsQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<CredentialOfferJob, void, undefined> {
    return eachOf((asked: ListCredentialOfferJobsQuery) => this.listCredentialOfferJobs(asked, options), query, null)
  }

  /**
   * Shows how far a job of many offers is.
   *
   * For an API key or a member in the console.
   */
  getCredentialOfferJob(id: string, options?: CallOptions): Promise<CredentialOfferJob> {
    return this.#send({ method: 'GET', path: `/v1/credential-offer-jobs/${encodeURIComponent(id)}` }, options)
  }

  /**
   * Lists the items of a job of many offers, with what became of each.
   *
   * In the order of the request. `q` looks in their keys and in the ids of their exchanges.
   *
   * For an API key or a member in the console.
   */
  listCredentialOfferItems(id: string, query: ListCredentialOfferItemsQuery = {}, options?: CallOptions): Promise<CredentialOfferItemPage> {
    return this.#send({ method: 'GET', path: `/v1/credential-offer-jobs/${encodeURIComponent(id)}/items`, query }, options)
  }

  /** Goes through the items of a job of many offers, with what became of each, page by page. */
  eachCredentialOfferItem(id: string, query: Omit<ListCredentialOfferItemsQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<CredentialOfferItem, void, undefined> {
    return eachOf((asked: ListCredentialOfferItemsQuery) => this.listCredentialOfferItems(id, asked, options), query, null)
  }

  /**
   * Asks the holder of a connection for a proof.
   *
   * Answers at once; the holder decides later. `proof.state_changed` with the state `done` carries `verified` and `disclosed`. Every proof checks `expiresAt` of the credentials it uses, whatever the template says.
   *
   * For an API key or a member in the console.
   *
   * May be sent again safely under an `Idempotency-Key`.
   */
  requestProof(body: RequestProofBody, options?: WriteOptions): Promise<Proof> {
    return this.#send({ method: 'POST', path: '/v1/proofs/request', body, keyed: true }, options)
  }

  /**
   * Lists proof exchanges, newest first.
   *
   * `q` looks in the external id.
   *
   * For an API key or a member in the console.
   */
  listProofs(query: ListProofsQuery = {}, options?: CallOptions): Promise<ProofPage> {
    return this.#send({ method: 'GET', path: '/v1/proofs', query }, options)
  }

  /** Goes through proof exchanges, newest first, page by page. */
  eachProof(query: Omit<ListProofsQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<Proof, void, undefined> {
    return eachOf((asked: ListProofsQuery) => this.listProofs(asked, options), query, 'to')
  }

  /**
   * Shows a proof exchange.
   *
   * For an API key or a member in the console.
   */
  getProof(id: string, options?: CallOptions): Promise<Proof> {
    return this.#send({ method: 'GET', path: `/v1/proofs/${encodeURIComponent(id)}` }, options)
  }

  /**
   * Shows step by step what has happened to a proof exchange.
   *
   * States, messages, events and the attempts to deliver them, with their times. Nothing in it is personal, so it stays when the record is erased; attempts go when the retention of the record is over.
   *
   * For an API key or a member in the console.
   */
  getProofTimeline(id: string, options?: CallOptions): Promise<Timeline> {
    return this.#send({ method: 'GET', path: `/v1/proofs/${encodeURIComponent(id)}/timeline` }, options)
  }

  /**
   * Ends a proof exchange that is still running.
   *
   * It is `abandoned` from here on, and the wallet hears so by a problem report. What is over already is 409.
   *
   * For an API key or a member in the console.
   *
   * May be sent again safely under an `Idempotency-Key`.
   */
  cancelProof(id: string, options?: WriteOptions): Promise<Proof> {
    return this.#send({ method: 'POST', path: `/v1/proofs/${encodeURIComponent(id)}/cancel`, keyed: true }, options)
  }

  /**
   * Erases the personal data of a proof exchange.
   *
   * At once and for ever, for this service; what the holder has stays with the holder. The record stays, with `erasedAt` and its personal fields null, and so does its entry in `GET /v1/erasures`. What is still running is 409: cancel it first, or wait for its end. Erasing it again changes nothing.
   *
   * For an API key or a member in the console.
   *
   * May be sent again safely under an `Idempotency-Key`.
   */
  eraseProof(id: string, options?: WriteOptions): Promise<Proof> {
    return this.#send({ method: 'POST', path: `/v1/proofs/${encodeURIComponent(id)}/erase`, keyed: true }, options)
  }

  /**
   * Shows a schema.
   *
   * For an API key or a member in the console.
   */
  getSchema(id: string, options?: CallOptions): Promise<Schema> {
    return this.#send({ method: 'GET', path: `/v1/schemas/${encodeURIComponent(id)}` }, options)
  }

  /**
   * Lists schemas, newest first.
   *
   * `q` looks in the name.
   *
   * For an API key or a member in the console.
   */
  listSchemas(query: ListSchemasQuery = {}, options?: CallOptions): Promise<SchemaPage> {
    return this.#send({ method: 'GET', path: '/v1/schemas', query }, options)
  }

  /** Goes through schemas, newest first, page by page. */
  eachSchema(query: Omit<ListSchemasQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<Schema, void, undefined> {
    return eachOf((asked: ListSchemasQuery) => this.listSchemas(asked, options), query, null)
  }

  /**
   * Shows a credential definition.
   *
   * For an API key or a member in the console.
   */
  getCredentialDefinition(id: string, options?: CallOptions): Promise<CredentialDefinition> {
    return this.#send({ method: 'GET', path: `/v1/credential-definitions/${encodeURIComponent(id)}` }, options)
  }

  /**
   * Lists credential definitions, newest first.
   *
   * `q` looks in the name of the schema and in the tag.
   *
   * For an API key or a member in the console.
   */
  listCredentialDefinitions(query: ListCredentialDefinitionsQuery = {}, options?: CallOptions): Promise<CredentialDefinitionPage> {
    return this.#send({ method: 'GET', path: '/v1/credential-definitions', query }, options)
  }

  /** Goes through credential definitions, newest first, page by page. */
  eachCredentialDefinition(query: Omit<ListCredentialDefinitionsQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<CredentialDefinition, void, undefined> {
    return eachOf((asked: ListCredentialDefinitionsQuery) => this.listCredentialDefinitions(asked, options), query, null)
  }

  /**
   * Shows how far the keys of a credential definition are.
   *
   * Keys are made one after the other, organisations in turn, and found by chance: most take some seconds, with 125 attributes some minutes.
   *
   * For an API key or a member in the console.
   */
  getKeyGeneration(id: string, options?: CallOptions): Promise<KeyGeneration> {
    return this.#send({ method: 'GET', path: `/v1/credential-definitions/${encodeURIComponent(id)}/key-generation` }, options)
  }

  /**
   * Lists proof templates, newest first.
   *
   * `q` looks in the name.
   *
   * For an API key or a member in the console.
   */
  listProofTemplates(query: ListProofTemplatesQuery = {}, options?: CallOptions): Promise<ProofTemplatePage> {
    return this.#send({ method: 'GET', path: '/v1/proof-templates', query }, options)
  }

  /** Goes through proof templates, newest first, page by page. */
  eachProofTemplate(query: Omit<ListProofTemplatesQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<ProofTemplate, void, undefined> {
    return eachOf((asked: ListProofTemplatesQuery) => this.listProofTemplates(asked, options), query, null)
  }

  /**
   * Shows a proof template.
   *
   * For an API key or a member in the console.
   */
  getProofTemplate(id: string, options?: CallOptions): Promise<ProofTemplate> {
    return this.#send({ method: 'GET', path: `/v1/proof-templates/${encodeURIComponent(id)}` }, options)
  }

  /**
   * Lists wallets, newest first.
   *
   * `q` looks in the external id and in the installation id.
   *
   * For an API key or a member in the console.
   */
  listWallets(query: ListWalletsQuery = {}, options?: CallOptions): Promise<WalletPage> {
    return this.#send({ method: 'GET', path: '/v1/wallets', query }, options)
  }

  /** Goes through wallets, newest first, page by page. */
  eachWallet(query: Omit<ListWalletsQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<Wallet, void, undefined> {
    return eachOf((asked: ListWalletsQuery) => this.listWallets(asked, options), query, null)
  }

  /**
   * Creates the wallet of an installation, or gives it a fresh token.
   *
   * The `Idempotency-Key` is the UUID that the app made once. The same installation gets the same wallet at any later time, with a fresh token: the token before stops working. 201 the first time, 200 from then on.
   *
   * For an API key or a member in the console.
   *
   * A person needs a second factor that was shown within the last 5 minutes; otherwise 403 `step_up_required`.
   */
  createWallet(body: CreateWalletBody, options: KeyedCallOptions): Promise<WalletWithToken> {
    return this.#send({ method: 'POST', path: '/v1/wallets', body, keyed: true }, options)
  }

  /**
   * Shows a wallet.
   *
   * For an API key or a member in the console.
   */
  getWallet(id: string, options?: CallOptions): Promise<Wallet> {
    return this.#send({ method: 'GET', path: `/v1/wallets/${encodeURIComponent(id)}` }, options)
  }

  /**
   * Revokes a wallet and its token.
   *
   * The token stops working at once. Revoking it again changes nothing.
   *
   * For an API key or a member in the console.
   */
  revokeWallet(id: string, options?: CallOptions): Promise<Wallet> {
    return this.#send({ method: 'DELETE', path: `/v1/wallets/${encodeURIComponent(id)}` }, options)
  }

  /**
   * Shows the webhook endpoint.
   *
   * Where none is set, every field is null. The secret is not shown.
   *
   * For an API key or a member in the console.
   */
  getWebhook(options?: CallOptions): Promise<WebhookEndpoint> {
    return this.#send({ method: 'GET', path: '/v1/webhook' }, options)
  }

  /**
   * Sends a made-up event to those who listen, for development.
   *
   * The streams of events (`GET /v1/events/stream`) that the organisation has open get an event of the type, with the data that this description shows, at this time, and about a record that does not exist. It has no `id:` line there, so that no client goes on behind it. No webhook endpoint gets it, and no list, timeline or delivery shows it; its id begins with `evt_test_`. Who has 16 of them waiting goes without, and so does who connects later.
   *
   * For an API key.
   *
   * May be sent again safely under an `Idempotency-Key`.
   */
  triggerEvent(body: TriggerEventBody, options?: WriteOptions): Promise<TriggeredEvent> {
    return this.#send({ method: 'POST', path: '/v1/events/trigger', body, keyed: true }, options)
  }

  /**
   * Lists webhook deliveries, newest first.
   *
   * `q` looks in the id of the record. A delivery is listed until the retention of its record is over.
   *
   * For an API key or a member in the console.
   */
  listWebhookDeliveries(query: ListWebhookDeliveriesQuery = {}, options?: CallOptions): Promise<WebhookDeliveryPage> {
    return this.#send({ method: 'GET', path: '/v1/webhook/deliveries', query }, options)
  }

  /** Goes through webhook deliveries, newest first, page by page. */
  eachWebhookDelivery(query: Omit<ListWebhookDeliveriesQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<WebhookDelivery, void, undefined> {
    return eachOf((asked: ListWebhookDeliveriesQuery) => this.listWebhookDeliveries(asked, options), query, 'to')
  }

  /**
   * Shows a webhook delivery with its attempts.
   *
   * What your receiver answered belongs to the personal data of the record that the event is about, and goes with it.
   *
   * For an API key or a member in the console.
   */
  getWebhookDelivery(id: string, options?: CallOptions): Promise<WebhookDeliveryWithAttempts> {
    return this.#send({ method: 'GET', path: `/v1/webhook/deliveries/${encodeURIComponent(id)}` }, options)
  }

  /**
   * Says how long personal data of finished exchanges is kept.
   *
   * Personal data of exchanges that are done, declined or abandoned is erased after so many days; running exchanges are never touched.
   *
   * For an API key or a member in the console.
   */
  getDataRetention(options?: CallOptions): Promise<DataRetention> {
    return this.#send({ method: 'GET', path: '/v1/data-retention' }, options)
  }

  /**
   * Lists what was erased on request, newest first.
   *
   * One entry for each erased record. What ended with its retention period was not erased on request and has none. `q` looks in the id of the record; `from` and `to` are about the time of the erasure.
   *
   * For an API key or a member in the console.
   */
  listErasures(query: ListErasuresQuery = {}, options?: CallOptions): Promise<ErasurePage> {
    return this.#send({ method: 'GET', path: '/v1/erasures', query }, options)
  }

  /** Goes through what was erased on request, newest first, page by page. */
  eachErasure(query: Omit<ListErasuresQuery, 'page'> = {}, options?: CallOptions): AsyncGenerator<Erasure, void, undefined> {
    return eachOf((asked: ListErasuresQuery) => this.listErasures(asked, options), query, 'to')
  }

  /**
   * Says which ledger the credentials stand on.
   *
   * For wallets, and for services that check proofs elsewhere. May be kept for 5 minutes.
   *
   * For an API key, a member in the console or a wallet token.
   */
  getLedger(options?: CallOptions): Promise<Ledger> {
    return this.#send({ method: 'GET', path: '/v1/ledger' }, options)
  }
}
