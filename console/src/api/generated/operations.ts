// Made from the API description by `npm run generate`.

export type Account = {
  /** Names the account. */
  readonly id: string
  /** The address that was invited; null once the account is removed. */
  readonly emailAddress: string | null
  /** The name that the person has given. */
  readonly name: string | null
  /** What the account may do: a viewer changes nothing. */
  readonly role: 'admin' | 'viewer' | 'operator'
  /** The organisation; null for operators. */
  readonly organisation: string | null
  /** How many recovery codes were not used yet. */
  readonly recoveryCodesLeft: number
}

export type Acting = {
  /** The organisation; null when the session acts for none. */
  readonly organisation: string | null
  /** Why. */
  readonly reason: string | null
  /** Whether something may be changed. */
  readonly mayChange: boolean
  /** When it began. */
  readonly startedAt: string | null
  /** When it ends by itself. */
  readonly endsAt: string | null
}

export type ApiKey = {
  /** Names the key. */
  readonly id: string
  /** The organisation it belongs to. */
  readonly tenantId: string
  /** What it is for. */
  readonly label: string
  /** How every key begins. */
  readonly prefix: string
  /** Its last four letters, to tell keys apart. */
  readonly lastFour: string
  /** Whether it is let in. */
  readonly status: 'active' | 'revoked'
  /** Requests in any minute; null: as many as every key may make. */
  readonly ratePerMinute: number | null
  /** When it was made. */
  readonly createdAt: string
  /** When it was revoked. */
  readonly revokedAt: string | null
}

export type ApiKeyPage = {
  /** The records of this page, newest first. */
  readonly items: readonly ApiKey[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type ApiKeyWithSecret = {
  /** Names the key. */
  readonly id: string
  /** The organisation it belongs to. */
  readonly tenantId: string
  /** What it is for. */
  readonly label: string
  /** How every key begins. */
  readonly prefix: string
  /** Its last four letters, to tell keys apart. */
  readonly lastFour: string
  /** Whether it is let in. */
  readonly status: 'active' | 'revoked'
  /** Requests in any minute; null: as many as every key may make. */
  readonly ratePerMinute: number | null
  /** When it was made. */
  readonly createdAt: string
  /** When it was revoked. */
  readonly revokedAt: string | null
  /** The key itself; shown in this answer alone, and null when it comes again. */
  readonly key: string | null
}

export type AuditEntry = {
  /** Names the entry. */
  readonly id: string
  /** Whose log this is; null for the log of the operators. */
  readonly organisation: string | null
  /** What kind of person or program did it; acting_operator: an operator of the service, for the organisation. */
  readonly initiator: 'member' | 'operator' | 'acting_operator' | 'command_line' | 'nobody'
  /** The account that did it. */
  readonly initiatorId: string | null
  /** What was done: the name of an operation. */
  readonly action: string
  /** What it was done to. */
  readonly targetId: string | null
  /** Why, where an operator had to say it. */
  readonly reason: string | null
  /** How it ended; open: it is under way, or it is not known. */
  readonly outcome: 'open' | 'done' | 'refused' | 'failed'
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
}

export type AuditEntryPage = {
  /** The records of this page, newest first. */
  readonly items: readonly AuditEntry[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

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

export type BiometricPolicy = {
  /** The vendor that checks faces; none: nothing is behind a check. */
  readonly vendor: 'none' | 'aws_rekognition' | 'azure_face' | 'sandbox'
  /** Of the account, none of it secret: `region` and `deviceRoleArn` at AWS, `endpoint` at Azure. */
  readonly settings: { readonly [name: string]: string }
  /** Whether the secrets of the account are entered. */
  readonly hasCredentials: boolean
  /** The least certainty of a living person that passes; 80 unless it is set. Azure has no such score: null there. */
  readonly livenessMin: number | null
  /** The least likeness of face and image that passes; 90 unless it is set, 70 at Azure. */
  readonly matchMin: number
  /** Attempts that a holder has; 3 unless it is set. */
  readonly attemptsMax: number
  /** Minutes from the offer or the request to the end of the check; 30 unless it is set. */
  readonly windowMinutes: number
  /** Credentials of these definitions are issued behind a check. They are shown by catalogue id. */
  readonly credentialDefinitionIds: readonly string[]
  /** When it was set first; null: never. */
  readonly createdAt: string | null
  /** When it was set last. */
  readonly updatedAt: string | null
}

export type BiometricTrial = {
  /** Whether everything is allowed and understood that a check needs. */
  readonly works: boolean
  /** What stands in the way, a sentence each. */
  readonly problems: readonly string[]
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

export type DataRetention = {
  /** Days after the end of an exchange; 0 keeps its personal data until it is erased. */
  readonly retentionDays: number
  /** What holds until it is set. */
  readonly default: number
  /** When it was set last. */
  readonly changedAt: string | null
}

export type DataRetentionPreview = {
  /** The period to be looked at, in days; 0 keeps personal data until it is erased. */
  readonly retentionDays: number
  /** What finished before this time would go; null where nothing would. */
  readonly finishedBefore: string | null
  /** What would be gone within a day; kinds of which nothing would are left out. */
  readonly records: readonly ({
    /** What the records are. */
    readonly recordType: string
    /** How many of them. */
    readonly records: number
    /** When the first of them finished. */
    readonly firstFinishedAt: string
  })[]
}

export type EndorsedContent = {
  /** The name of the schema, or of the schema that the definition is for. */
  readonly schemaName: string
  /** Its version. */
  readonly schemaVersion: string
  /** The names of its attributes. */
  readonly attributes: readonly string[]
  /** The tag of the definition; null for a schema. */
  readonly tag: string | null
}

export type Endorsement = {
  /** Names the endorsement: one for each attempt to publish a record. */
  readonly id: string
  /** The organisation that wants to write to the ledger. */
  readonly organisationId: string
  /** What it wants to write. */
  readonly recordType: 'schema' | 'credential_definition'
  /** The schema or the credential definition, by its catalogue id. */
  readonly recordId: string
  /** What is to be written, as everybody will read it on the ledger; null where the record is gone or cannot be read. */
  readonly content: EndorsedContent | null
  /** Whether an operator has decided. */
  readonly status: 'waiting' | 'approved' | 'refused'
  /** Why it was refused. */
  readonly reason: string | null
  /** When it was asked for. */
  readonly createdAt: string
  /** When an operator decided. */
  readonly decidedAt: string | null
  /** The account of the operator who decided; `local` for the command line of the machine. */
  readonly decidedBy: string | null
}

export type EndorsementPage = {
  /** The records of this page, newest first. */
  readonly items: readonly Endorsement[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
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

export type LedgerAgreement = {
  /** Whether the ledger wants an agreement accepted, and an operator has. While it is `open` nothing is written. */
  readonly status: 'none' | 'open' | 'accepted'
  /** The version of the agreement. */
  readonly version: string | null
  /** What it says. */
  readonly text: string | null
  /** Its checksum, by which it is accepted. */
  readonly digest: string | null
  /** The ways in which the ledger lets it be accepted. */
  readonly mechanisms: readonly ({
    /** How it may be accepted. */
    readonly name: string
    /** What that means. */
    readonly description: string
  })[]
  /** The way in which it was accepted. */
  readonly acceptedMechanism: string | null
  /** When it was accepted. */
  readonly acceptedAt: string | null
  /** The account of the operator who did; `local` for the command line of the machine. */
  readonly acceptedBy: string | null
}

export type LedgerCeiling = {
  /** The organisation. */
  readonly organisationId: string
  /** How often it may write to the ledger in a day of UTC. */
  readonly writesPerDay: number
  /** How often it has today: each schema and definition that is ordered, and each retry. */
  readonly usedToday: number
}

export type LedgerCeilingPage = {
  /** The records of this page, newest first. */
  readonly items: readonly LedgerCeiling[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type Member = {
  /** Names the account. */
  readonly id: string
  /** The address that was invited; null once the account is removed. */
  readonly emailAddress: string | null
  /** The name that the person has given. */
  readonly name: string | null
  /** What the account may do: a viewer changes nothing. */
  readonly role: 'admin' | 'viewer' | 'operator'
  /** Whether the invitation was taken up. */
  readonly status: 'invited' | 'active'
  /** Until when the link of the invitation is good. */
  readonly invitationExpiresAt: string | null
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
}

export type MemberPage = {
  /** The records of this page, newest first. */
  readonly items: readonly Member[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type MemberWithLink = {
  /** Names the account. */
  readonly id: string
  /** The address that was invited; null once the account is removed. */
  readonly emailAddress: string | null
  /** The name that the person has given. */
  readonly name: string | null
  /** What the account may do: a viewer changes nothing. */
  readonly role: 'admin' | 'viewer' | 'operator'
  /** Whether the invitation was taken up. */
  readonly status: 'invited' | 'active'
  /** Until when the link of the invitation is good. */
  readonly invitationExpiresAt: string | null
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
  /** To be given to whom it is for; shown in this answer alone, and null when it comes again. */
  readonly invitationLink: string | null
  /** Until when the link is good; null once it was taken up. */
  readonly linkExpiresAt: string | null
}

export type Node = {
  /** The name of the node. */
  readonly id: string
  /** Where other nodes reach it. */
  readonly address: string
  /** Whether it connects itself with the others and serves nothing before, keeps its lease, was declared dead by another, or has left: in order, or because it did not reach the others. A node that died a few seconds ago may still be shown as alive. */
  readonly status: 'coming' | 'alive' | 'dead' | 'left'
  /** Whether it is the one that answers. */
  readonly current: boolean
  /** Whether it takes its share of the shards, is stopping, or is kept empty by an operator; null: it gets none. */
  readonly part: null | 'taking' | 'leaving' | 'drained'
  /** How many of the 256 shards it serves, as the map says. */
  readonly shards: number
  /** How many it is to serve and does not serve yet. */
  readonly shardsToCome: number
  /** What it carries: 1 is what each would carry if all carried the same. Null where that is not known. */
  readonly load: number | null
  /** How the node that answers reaches it; null for itself, and where it knows of no link. */
  readonly link: {
    /** Whether there is a connection, one is being made, or one was refused (the log says why). */
    readonly state: 'connected' | 'connecting' | 'refused'
    /** Since when it is so. */
    readonly since: string
  } | null
  /** The nodes that it said it is connected to, two seconds ago at most. Null where it has said nothing, or is gone. */
  readonly reaches: readonly string[] | null
}

export type NodeFigures = {
  /** How long what was due waited for its turn, when this was asked. */
  readonly eventLoopDelaySeconds: number | null
  /** Requests that are being answered. */
  readonly requestsInFlight: number | null
  /** Requests that were answered since the start. */
  readonly requestsAnswered: number | null
  /** Of these, with a status of 500 or more. */
  readonly serverErrors: number | null
  /** Of these, with 429. */
  readonly rateLimited: number | null
  /** Half of these took no longer, to the edge of a bucket. */
  readonly requestSecondsMedian: number | null
  /** 99 of 100 of these took no longer. */
  readonly requestSecondsP99: number | null
  /** Memory of the process. */
  readonly residentMemoryBytes: number | null
  /** Processor time since the start. */
  readonly processorSeconds: number | null
  /** Shards that it serves. */
  readonly shardsServed: number | null
  /** Records in memory. */
  readonly actorsInMemory: number | null
  /** Commands that were taken and are not answered. */
  readonly commandsWaiting: number | null
  /** Failures of actors since the start. */
  readonly actorFaults: number | null
  /** Records that lists, events or webhooks go on without; alarm on any. */
  readonly recordsParked: number | null
  /** Credential definitions that wait until their keys are made. */
  readonly keysWaiting: number | null
  /** 99 of 100 signatures, verifications and keys took no longer, the wait for a thread included. */
  readonly signatureSecondsP99: number | null
  /** Asks that wait until a node serves their shard; null for a process that is alone. */
  readonly asksWaiting: number | null
}

export type NodeHealth = {
  /** The name of the node. */
  readonly id: string
  /** Whether every part of it works; unreachable: it lives, and the node that answers did not hear from it. */
  readonly status: 'ok' | 'degraded' | 'unreachable'
  /** Whether it is to be empty, or stops. */
  readonly draining: boolean | null
  /** Since when the process runs. */
  readonly startedAt: string | null
  /** The parts of the node; the ledger alone makes it not degraded. */
  readonly parts: readonly ({
    /** The part. */
    readonly name: string
    /** Whether it works. */
    readonly status: 'up' | 'down'
    /** What is to be said beside that. */
    readonly detail: string | null
  })[]
  /** The metrics that matter most, as numbers; null for a node that did not answer. */
  readonly figures: NodeFigures | null
}

export type NodePage = {
  /** The records of this page, by name. */
  readonly items: readonly Node[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type OperatorOverview = {
  /** Where the first hour or day begins. */
  readonly from: string
  /** Where the last one ends. */
  readonly to: string
  /** What one number is about: an hour, or a day of UTC. */
  readonly step: 'hour' | 'day'
  /** Connections, credentials, proofs and webhook deliveries of all organisations together. */
  readonly lists: readonly OperatorOverviewOfList[]
}

export type OperatorOverviewOfList = {
  /** What the records are. */
  readonly recordType: string
  /** How many records are in each state now, whatever their age. */
  readonly now: readonly ({
    /** The state. */
    readonly state: string
    /** How many records. */
    readonly records: number
  })[]
  /** How many records came into each state; a state that is missing had none. */
  readonly entered: readonly ({
    /** The state. */
    readonly state: string
    /** One number for each hour or day, the earliest first. */
    readonly counts: readonly number[]
  })[]
  /** How many records failed, by reason; those that ended before reasons were kept are not among them. */
  readonly failures: readonly ({
    /** The reason, in a word. */
    readonly code: string
    /** One number for each hour or day, the earliest first. */
    readonly counts: readonly number[]
  })[]
  /** The oldest record that waits; null where none does. */
  readonly oldestWaiting: {
    /** The record. */
    readonly id: string
    /** Its state. */
    readonly state: string
    /** When it came to be. */
    readonly createdAt: string
    /** Its organisation. */
    readonly organisation: string
  } | null
}

export type Organisation = {
  /** Names the organisation. */
  readonly id: string
  /** What it is called; null once it is deleted. */
  readonly name: string | null
  /** Whether its keys and people are let in: while it is `active`. Until `deletesAt` it can be restored. */
  readonly status: 'active' | 'suspended' | 'deletion_ordered' | 'deleting' | 'deleted'
  /** When its deletion begins, where it was ordered and has not begun. */
  readonly deletesAt: string | null
  /** Its identifier on the ledger. */
  readonly did: string
  /** Whether the ledger has the identifier. */
  readonly registered: boolean
  /** What went wrong when it was registered last. */
  readonly lastError: string | null
  /** Whether the endorser of the service signs by itself what the organisation publishes, or waits for an operator. */
  readonly endorsement: 'automatic' | 'manual'
  /** Requests in any minute of all its API keys together; null: no rate beside those of its keys. */
  readonly ratePerMinute: number | null
  /** What each new API key may make in any minute where nothing else is said; null: as many as every key may make. */
  readonly keyRatePerMinute: number | null
  /** When the record came to be. */
  readonly createdAt: string
  /** When the record changed last; of two views of a record the later one is newer. */
  readonly updatedAt: string
}

export type OrganisationPage = {
  /** The records of this page, newest first. */
  readonly items: readonly Organisation[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type Overview = {
  /** Where the first hour or day begins. */
  readonly from: string
  /** Where the last one ends. */
  readonly to: string
  /** What one number is about: an hour, or a day of UTC. */
  readonly step: 'hour' | 'day'
  /** Connections, credentials, proofs and webhook deliveries. */
  readonly lists: readonly OverviewOfList[]
}

export type OverviewOfList = {
  /** What the records are. */
  readonly recordType: string
  /** How many records are in each state now, whatever their age. */
  readonly now: readonly ({
    /** The state. */
    readonly state: string
    /** How many records. */
    readonly records: number
  })[]
  /** How many records came into each state; a state that is missing had none. */
  readonly entered: readonly ({
    /** The state. */
    readonly state: string
    /** One number for each hour or day, the earliest first. */
    readonly counts: readonly number[]
  })[]
  /** How many records failed, by reason; those that ended before reasons were kept are not among them. */
  readonly failures: readonly ({
    /** The reason, in a word. */
    readonly code: string
    /** One number for each hour or day, the earliest first. */
    readonly counts: readonly number[]
  })[]
  /** The oldest record that waits; null where none does. */
  readonly oldestWaiting: {
    /** The record. */
    readonly id: string
    /** Its state. */
    readonly state: string
    /** When it came to be. */
    readonly createdAt: string
  } | null
}

export type ParkedRecord = {
  /** Names what is parked: one record for one part. */
  readonly id: string
  /** The shard whose readers go on without the record. */
  readonly shard: number
  /** Who goes on without it: the lists (the row stays as it was), the publisher of events (the events of the record wait), the intake of webhooks (the events for the endpoint wait), or the stream (it refuses an event). */
  readonly part: 'lists' | 'events' | 'webhooks' | 'stream'
  /** The record that cannot be read. */
  readonly recordId: string
  /** The names of the error and its causes, without their texts. */
  readonly error: string
  /** When it was parked. */
  readonly since: string
  /** How often it was tried. A retry that fails again counts one more; one that succeeds takes it away. */
  readonly attempts: number
}

export type ParkedRecordPage = {
  /** The records of this page, newest first. */
  readonly items: readonly ParkedRecord[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type Passkey = {
  /** Names the passkey. */
  readonly id: string
  /** What its owner calls it. */
  readonly label: string
  /** When it was added. */
  readonly createdAt: string
  /** When it was used last. */
  readonly lastUsedAt: string | null
}

export type PasskeyPage = {
  /** The records of this page, newest first. */
  readonly items: readonly Passkey[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type PlacedShard = {
  /** Which shard; ids have it as the two hex digits after their underscore. */
  readonly number: number
  /** The node that serves it, as the map says; null when none does. */
  readonly owner: string | null
  /** The node that is to serve it; another than the owner while it moves. */
  readonly desired: string | null
  /** Whether it is on its way from one to the other. */
  readonly moving: boolean
  /** Whether it stays where it is for as long as its node lives. */
  readonly pinned: boolean
  /** Whether the node that answers serves it at this moment. */
  readonly servedHere: boolean
  /** What the owner of the shard measured over about the last minute; null where the owner has not told. */
  readonly load: {
    /** Events that are committed in a second. */
    readonly eventsPerSecond: number
    /** Their bytes. */
    readonly bytesPerSecond: number
    /** Records in memory. */
    readonly residents: number
  } | null
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

export type ServiceHealth = {
  /** Whether every living node is ok. */
  readonly status: 'ok' | 'degraded'
  /** The living nodes by name. */
  readonly nodes: readonly NodeHealth[]
}

export type Session = {
  /** Names the session. */
  readonly id: string
  /** Whether it is the one that asks. */
  readonly current: boolean
  /** When the person signed in. */
  readonly createdAt: string
  /** When it ends, whatever happens in it. */
  readonly expiresAt: string
  /** When the second factor was shown last. */
  readonly steppedUpAt: string
  /** Where it was opened from. */
  readonly address: string | null
  /** What opened it, as it calls itself. */
  readonly userAgent: string | null
}

export type SessionPage = {
  /** The records of this page, newest first. */
  readonly items: readonly Session[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type Shard = {
  /** Which shard; ids have it as the two hex digits after their underscore. */
  readonly number: number
  /** The node that serves it, as the map says; null when none does. */
  readonly owner: string | null
  /** The node that is to serve it; another than the owner while it moves. */
  readonly desired: string | null
  /** Whether it is on its way from one to the other. */
  readonly moving: boolean
  /** Whether it stays where it is for as long as its node lives. */
  readonly pinned: boolean
  /** Whether the node that answers serves it at this moment. */
  readonly servedHere: boolean
  /** What the owner of the shard measured over about the last minute; null where the owner has not told. */
  readonly load: {
    /** Events that are committed in a second. */
    readonly eventsPerSecond: number
    /** Their bytes. */
    readonly bytesPerSecond: number
    /** Records in memory. */
    readonly residents: number
  } | null
  /** How far the stream of events is behind: log entries that were committed and not taken on yet; it is not counted further than 256. */
  readonly eventsBehind: number
  /** How far the lists of this node are behind: log entries that were committed and not taken on yet; it is not counted further than 256. Null for a shard that is not served here. */
  readonly listsBehind: number | null
}

export type ShardMoves = {
  /** Of the map of shards, which is one higher after each change. */
  readonly version: number
  /** Whether nothing moves but what a node that died or stops leaves behind. */
  readonly frozen: boolean
  /** What is on its way. */
  readonly moving: readonly ({
    /** Which shard. */
    readonly shard: number
    /** The node that has it; null when none has. */
    readonly from: string | null
    /** Where it goes; null where that is not decided yet. */
    readonly to: string | null
  })[]
  /** What waits for these, or for a node to be chosen. When both are empty, all is done. */
  readonly toCome: readonly ({
    /** Which shard. */
    readonly shard: number
    /** The node that has it; null when none has. */
    readonly from: string | null
    /** Where it goes; null where that is not decided yet. */
    readonly to: string | null
  })[]
}

export type ShardPage = {
  /** The records of this page, by number. */
  readonly items: readonly Shard[]
  /** How many records fit, over all pages. */
  readonly total: number
  /** Which page this is. */
  readonly page: number
  /** How many records a page has. */
  readonly pageSize: number
}

export type ShardPlan = {
  /** Of the map of shards, which is one higher after each change. */
  readonly version: number
  /** What is to move where, and why. */
  readonly moves: readonly ({
    /** Which shard. */
    readonly shard: number
    /** The node that has it, or was to have it; null when none. */
    readonly from: string | null
    /** The node that it is to go to. */
    readonly to: string
    /** dead: its node is gone. leaving: its node stops. drained: its node is to be empty. balance: its node carries more than its share. order: an operator said so. */
    readonly reason: 'dead' | 'leaving' | 'drained' | 'balance' | 'order'
  })[]
  /** What the plan does to each node. */
  readonly nodes: readonly ({
    /** The name of a living node. */
    readonly node: string
    /** What it carries now; 1 is what each carries where all carry the same. */
    readonly before: number
    /** What it will carry. */
    readonly after: number
  })[]
  /** How many milliseconds a request for a shard waits while that shard moves. */
  readonly expectedPauseMs: number
  /** Whether that is the longest that the node that answers saw in the last ten minutes, or what is taken where it saw none: 1000. */
  readonly pauseIsMeasured: boolean
}

export type SignedIn = {
  readonly account: Account
  readonly session: Session
}

export type SignedInWithCodes = {
  readonly account: Account
  readonly session: Session
  /** Each works once; shown in this answer alone. */
  readonly recoveryCodes: readonly string[]
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

export type WebhookEndpointWithSecret = {
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
  /** Signs the deliveries; shown in this answer alone, and null when it comes again. */
  readonly secret: string | null
}

export type WebhookResending = {
  /** Names the order. */
  readonly id: string
  /** Those in this state. */
  readonly status: 'pending' | 'delivered' | 'dead'
  /** Those created at this time or later; null: from the first one on. */
  readonly from: string | null
  /** Those created before this time. */
  readonly to: string | null
  /** How many these were when the order was taken. */
  readonly deliveries: number
}

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

export type PublishSchemaBody = {
  /** Letters, digits, space, point, hyphen, underscore. */
  readonly name: string
  /** Two or three numbers with points between them; a change is a new version. */
  readonly version: string
  /** The names of its attributes; `expiresAt` is one of them. */
  readonly attributes: readonly string[]
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

export type PublishCredentialDefinitionBody = {
  /** A published schema, by its catalogue id. */
  readonly schemaId: string
  /** Tells several definitions of one schema apart: letters, digits, point, hyphen, underscore. */
  readonly tag: string
}

export type ListProofTemplatesQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
}

export type CreateProofTemplateBody = {
  /** What it is called. */
  readonly name: string
  /** What it is for, for people. */
  readonly description?: string | null | undefined
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
  readonly predicates?: readonly ({
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
  })[] | undefined
  /** Whether the holder passes a face check before the result is shown; false unless it is set. */
  readonly biometricRequired?: boolean | undefined
}

export type EditProofTemplateBody = {
  /** What it is called. */
  readonly name?: string | undefined
  /** What it is for, for people. */
  readonly description?: string | null | undefined
  /** What is asked for, one credential for each group. */
  readonly groups?: readonly ({
    /** What the group is called in `disclosed`; each group has a name of its own. Letters, digits, hyphens and underscores. */
    readonly name: string
    /** One credential of any of these definitions answers the whole group. */
    readonly credentialDefinitionIds: readonly string[]
    /** What the holder has to disclose; each definition of the group must have it. */
    readonly attributes: readonly string[]
  })[] | undefined
  /** What has to be true of attributes that are not disclosed, of whole numbers of 32 bits alone. With the expiry of each group, its bound, and a bound for each attribute that `>` or `>=` compares, a proof has at most 64 comparisons. */
  readonly predicates?: readonly ({
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
  })[] | undefined
  /** Whether the holder passes a face check before the result is shown; false unless it is set. */
  readonly biometricRequired?: boolean | undefined
}

export type SetBiometricPolicyBody = {
  /** Who checks; sandbox is there on the sandbox ledger alone. */
  readonly vendor: 'none' | 'aws_rekognition' | 'azure_face' | 'sandbox'
  /** Of the account, none of it secret: `region` and `deviceRoleArn` at AWS, `endpoint` at Azure. */
  readonly settings?: { readonly [name: string]: string } | undefined
  /** The secrets of the account, never shown again; left out, those of the same vendor stay, at Azure those of the same endpoint. `accessKeyId` and `secretAccessKey` at AWS, `key` at Azure. */
  readonly credentials?: { readonly [name: string]: string } | undefined
  /** The least certainty of a living person that passes; 80 unless it is set. Azure has no such score: null there. */
  readonly livenessMin?: number | undefined
  /** The least likeness of face and image that passes; 90 unless it is set, 70 at Azure. */
  readonly matchMin?: number | undefined
  /** Attempts that a holder has; 3 unless it is set. */
  readonly attemptsMax?: number | undefined
  /** Minutes from the offer or the request to the end of the check; 30 unless it is set. */
  readonly windowMinutes?: number | undefined
  /** Credentials of these definitions are issued behind a check. They are shown by catalogue id. */
  readonly credentialDefinitionIds?: readonly string[] | undefined
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

export type SetWebhookBody = {
  /** Where events are posted to: https, a public address, no user name and no password. */
  readonly url: string
  /** Events of these types alone; null: all of them. */
  readonly eventTypes?: readonly ('connection.state_changed' | 'credential.state_changed' | 'proof.state_changed' | 'wallet.sync_requested' | 'record.erased' | 'webhook.test')[] | null | undefined
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

export type RetryWebhookDeliveriesBody = {
  /** Those in this state. */
  readonly status: 'pending' | 'delivered' | 'dead'
  /** Created at this time or later; a date-time with Z or an offset. */
  readonly from?: string | undefined
  /** Created before this time; a date-time with Z or an offset. */
  readonly to?: string | undefined
}

export type SetDataRetentionBody = {
  /** Days after the end of an exchange; 0 keeps its personal data until it is erased. */
  readonly retentionDays: number
}

export type ListTenantsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** In this state. */
  readonly status?: 'active' | 'suspended' | 'deletion_ordered' | 'deleting' | 'deleted' | undefined
}

export type CreateTenantBody = {
  /** What it is called. */
  readonly name: string
}

export type UpdateTenantBody = {
  /** Who signs what it writes to the ledger from now on: the service itself, or the hand of an operator. */
  readonly endorsement?: 'automatic' | 'manual' | undefined
  /** Requests in any minute of all its API keys together; null: no such rate. */
  readonly ratePerMinute?: number | null | undefined
  /** What each new API key may make; null: as many as every key may make. */
  readonly keyRatePerMinute?: number | null | undefined
}

export type DeleteTenantBody = {
  /** The name of the organisation once more, letter by letter; its id, where the name is null because its key is lost. */
  readonly name: string
}

export type ListApiKeysQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** In this state. */
  readonly status?: 'active' | 'revoked' | undefined
  /** The organisation. */
  readonly tenantId?: string | undefined
}

export type CreateApiKeyBody = {
  /** The organisation. */
  readonly tenantId: string
  /** What it is for. */
  readonly label: string
  /** Requests in any minute; left out: what new keys of the organisation may make. */
  readonly ratePerMinute?: number | undefined
}

export type SetApiKeyRateBody = {
  /** Requests in any minute; null: as many as every key may make. */
  readonly ratePerMinute: number | null
}

export type ListEndorsementsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
  /** In this state. */
  readonly status?: 'waiting' | 'approved' | 'refused' | undefined
  /** The organisation. */
  readonly organisationId?: string | undefined
}

export type RefuseEndorsementBody = {
  /** Why; the organisation reads it as `lastError` of its record. */
  readonly reason: string
}

export type ListLedgerCeilingsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
}

export type SetLedgerCeilingBody = {
  /** At most 100000; null: 100, as for every organisation. */
  readonly writesPerDay: number | null
}

export type AcceptLedgerAgreementBody = {
  /** The digest of the agreement that was read. */
  readonly digest: string
  /** One of its mechanisms, by name. */
  readonly mechanism: string
}

export type BeginEnrolmentBody = {
  /** What stands behind the # of the link. */
  readonly invitation: string
  /** The name of the person. */
  readonly name: string
  /** The password of the new account. Not a few characters over and over, and without the e-mail address. */
  readonly password: string
}

export type ConfirmEnrolmentBody = {
  /** What stands behind the # of the link. */
  readonly invitation: string
  /** Six digits of the authenticator. */
  readonly code: string
}

export type ListSessionsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
}

export type BeginSignInBody = {
  /** The organisation; null for operators. */
  readonly organisation: string | null
  /** The address that was invited. */
  readonly emailAddress: string
  /** The password of the account. */
  readonly password: string
}

export type FinishSignInBody = {
  /** From the first step. */
  readonly signIn: string
  /** Six digits of the authenticator. */
  readonly code?: string | undefined
  /** One of the recovery codes, instead of a code. */
  readonly recoveryCode?: string | undefined
  /** A passkey that the browser has asked, instead of a code. */
  readonly passkey?: {
    /** The passkey, in base64url. */
    readonly id: string
    /** The same. */
    readonly rawId: string
    /** The only type there is. */
    readonly type: 'public-key'
    /** Where the passkey is: platform or cross-platform. */
    readonly authenticatorAttachment?: string | undefined
    /** What extensions answered. */
    readonly clientExtensionResults: { readonly [name: string]: unknown }
    /** What the passkey answered. */
    readonly response: {
      /** What the browser signed, in base64url. */
      readonly clientDataJSON: string
      /** What the passkey says of itself, in base64url. */
      readonly authenticatorData: string
      /** Its signature, in base64url. */
      readonly signature: string
      /** The account, in base64url. */
      readonly userHandle?: string | undefined
    }
  } | undefined
}

export type StepUpBody = {
  /** Six digits of the authenticator. */
  readonly code?: string | undefined
  /** A passkey that the browser has asked, instead of a code. */
  readonly passkey?: {
    /** The passkey, in base64url. */
    readonly id: string
    /** The same. */
    readonly rawId: string
    /** The only type there is. */
    readonly type: 'public-key'
    /** Where the passkey is: platform or cross-platform. */
    readonly authenticatorAttachment?: string | undefined
    /** What extensions answered. */
    readonly clientExtensionResults: { readonly [name: string]: unknown }
    /** What the passkey answered. */
    readonly response: {
      /** What the browser signed, in base64url. */
      readonly clientDataJSON: string
      /** What the passkey says of itself, in base64url. */
      readonly authenticatorData: string
      /** Its signature, in base64url. */
      readonly signature: string
      /** The account, in base64url. */
      readonly userHandle?: string | undefined
    }
  } | undefined
}

export type ChangePasswordBody = {
  /** The password until now. */
  readonly currentPassword: string
  /** The password from now on. Not a few characters over and over, and without the e-mail address. */
  readonly newPassword: string
}

export type ConfirmAuthenticatorBody = {
  /** Six digits of the new authenticator. */
  readonly code: string
}

export type ListPasskeysQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
}

export type AddPasskeyBody = {
  /** What to call it. */
  readonly label: string
  /** What the browser made. */
  readonly response: {
    /** The passkey, in base64url. */
    readonly id: string
    /** The same. */
    readonly rawId: string
    /** The only type there is. */
    readonly type: 'public-key'
    /** Where the passkey is: platform or cross-platform. */
    readonly authenticatorAttachment?: string | undefined
    /** What extensions answered. */
    readonly clientExtensionResults: { readonly [name: string]: unknown }
    /** What the passkey answered. */
    readonly response: {
      /** What the browser signed, in base64url. */
      readonly clientDataJSON: string
      /** The new key, in base64url. */
      readonly attestationObject: string
      /** How the passkey can be reached. */
      readonly transports?: readonly string[] | undefined
    }
  }
}

export type ListMembersQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
}

export type InviteMemberBody = {
  /** Whom to invite; the link is shown to you, nothing is sent. */
  readonly emailAddress: string
  /** What the account may do: a viewer changes nothing. */
  readonly role: 'admin' | 'viewer'
}

export type ChangeMemberRoleBody = {
  /** What the account may do: a viewer changes nothing. */
  readonly role: 'admin' | 'viewer'
}

export type ListOperatorsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
}

export type InviteOperatorBody = {
  /** Whom to invite; the link is shown to you, nothing is sent. */
  readonly emailAddress: string
}

export type InviteFirstAdministratorBody = {
  /** Whom to invite; the link is shown to you, nothing is sent. */
  readonly emailAddress: string
}

export type ListAuditLogQuery = {
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
  /** What was done: the name of an operation. */
  readonly action?: string | undefined
  /** Records with this initiatorId alone. */
  readonly initiatorId?: string | undefined
  /** Records with this targetId alone. */
  readonly targetId?: string | undefined
}

export type ListOperatorAuditLogQuery = {
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
  /** What was done: the name of an operation. */
  readonly action?: string | undefined
  /** Records with this initiatorId alone. */
  readonly initiatorId?: string | undefined
  /** Records with this targetId alone. */
  readonly targetId?: string | undefined
  /** The organisation. */
  readonly organisation?: string | undefined
}

export type BeginActingBody = {
  /** The organisation. */
  readonly organisation: string
  /** Why; the organisation reads it. */
  readonly reason: string
  /** To change as well; without it only to look. */
  readonly mayChange?: boolean | undefined
}

export type ListParkedRecordsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
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

export type PreviewDataRetentionQuery = {
  /** The period to be looked at, in days; 0 keeps personal data until it is erased. */
  readonly retentionDays: number
}

export type GetOverviewQuery = {
  /** From this time on; a date-time with Z or an offset. */
  readonly from?: string | undefined
  /** Up to this time; a date-time with Z or an offset. Now by default. */
  readonly to?: string | undefined
  /** What one number is about: an hour, or a day of UTC. */
  readonly step?: 'hour' | 'day' | undefined
}

export type GetOperatorOverviewQuery = {
  /** From this time on; a date-time with Z or an offset. */
  readonly from?: string | undefined
  /** Up to this time; a date-time with Z or an offset. Now by default. */
  readonly to?: string | undefined
  /** What one number is about: an hour, or a day of UTC. */
  readonly step?: 'hour' | 'day' | undefined
}

export type ListNodesQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
}

export type ListShardsQuery = {
  /** Which page; 1 by default. */
  readonly page?: number | undefined
  /** Records on a page; 25 by default. */
  readonly pageSize?: 25 | 50 | 100 | undefined
  /** A text to look for, whatever the case of its letters. */
  readonly q?: string | undefined
}

export type MoveShardBody = {
  /** The name of a node. */
  readonly to: string
}

export type ApplyShardPlanBody = {
  /** The moves of a plan, as they stand in it. One shard stands in them once. */
  readonly moves: readonly ({
    /** Which shard. */
    readonly shard: number
    /** As the plan says. */
    readonly from: string | null
    /** As the plan says. */
    readonly to: string
    /** dead: its node is gone. leaving: its node stops. drained: its node is to be empty. balance: its node carries more than its share. order: an operator said so. */
    readonly reason?: 'dead' | 'leaving' | 'drained' | 'balance' | 'order' | undefined
  })[]
}

export type PlanShardMovesQuery = {
  /** A node that is to be empty: what would move if it were drained now. */
  readonly drain?: string | undefined
}

/** What each operation takes. */
export type Takes = {
  createInvitation: { readonly body: CreateInvitationBody }
  listConnections: { readonly query?: ListConnectionsQuery }
  getConnection: { readonly path: { readonly id: string } }
  getConnectionTimeline: { readonly path: { readonly id: string } }
  eraseConnection: { readonly path: { readonly id: string } }
  offerCredential: { readonly body: OfferCredentialBody }
  listCredentials: { readonly query?: ListCredentialsQuery }
  getCredential: { readonly path: { readonly id: string } }
  getCredentialTimeline: { readonly path: { readonly id: string } }
  cancelCredential: { readonly path: { readonly id: string } }
  eraseCredential: { readonly path: { readonly id: string } }
  offerCredentials: { readonly body: OfferCredentialsBody }
  listCredentialOfferJobs: { readonly query?: ListCredentialOfferJobsQuery }
  getCredentialOfferJob: { readonly path: { readonly id: string } }
  listCredentialOfferItems: { readonly path: { readonly id: string }; readonly query?: ListCredentialOfferItemsQuery }
  requestProof: { readonly body: RequestProofBody }
  listProofs: { readonly query?: ListProofsQuery }
  getProof: { readonly path: { readonly id: string } }
  getProofTimeline: { readonly path: { readonly id: string } }
  cancelProof: { readonly path: { readonly id: string } }
  eraseProof: { readonly path: { readonly id: string } }
  getSchema: { readonly path: { readonly id: string } }
  listSchemas: { readonly query?: ListSchemasQuery }
  publishSchema: { readonly body: PublishSchemaBody }
  retrySchema: { readonly path: { readonly id: string } }
  deprecateSchema: { readonly path: { readonly id: string } }
  getCredentialDefinition: { readonly path: { readonly id: string } }
  listCredentialDefinitions: { readonly query?: ListCredentialDefinitionsQuery }
  publishCredentialDefinition: { readonly body: PublishCredentialDefinitionBody }
  getKeyGeneration: { readonly path: { readonly id: string } }
  retryCredentialDefinition: { readonly path: { readonly id: string } }
  deprecateCredentialDefinition: { readonly path: { readonly id: string } }
  listProofTemplates: { readonly query?: ListProofTemplatesQuery }
  createProofTemplate: { readonly body: CreateProofTemplateBody }
  getProofTemplate: { readonly path: { readonly id: string } }
  editProofTemplate: { readonly path: { readonly id: string }; readonly body: EditProofTemplateBody }
  archiveProofTemplate: { readonly path: { readonly id: string } }
  getBiometricPolicy: object
  setBiometricPolicy: { readonly body: SetBiometricPolicyBody }
  testBiometricPolicy: object
  listWallets: { readonly query?: ListWalletsQuery }
  createWallet: { readonly body: CreateWalletBody }
  getWallet: { readonly path: { readonly id: string } }
  revokeWallet: { readonly path: { readonly id: string } }
  getWebhook: object
  setWebhook: { readonly body: SetWebhookBody }
  removeWebhook: object
  rotateWebhookSecret: object
  listWebhookDeliveries: { readonly query?: ListWebhookDeliveriesQuery }
  getWebhookDelivery: { readonly path: { readonly id: string } }
  retryWebhookDelivery: { readonly path: { readonly id: string } }
  retryWebhookDeliveries: { readonly body: RetryWebhookDeliveriesBody }
  testWebhook: object
  getOrganisation: object
  getDataRetention: object
  setDataRetention: { readonly body: SetDataRetentionBody }
  listTenants: { readonly query?: ListTenantsQuery }
  createTenant: { readonly body: CreateTenantBody }
  getTenant: { readonly path: { readonly id: string } }
  updateTenant: { readonly path: { readonly id: string }; readonly body: UpdateTenantBody }
  suspendTenant: { readonly path: { readonly id: string } }
  resumeTenant: { readonly path: { readonly id: string } }
  deleteTenant: { readonly path: { readonly id: string }; readonly body: DeleteTenantBody }
  restoreTenant: { readonly path: { readonly id: string } }
  listApiKeys: { readonly query?: ListApiKeysQuery }
  createApiKey: { readonly body: CreateApiKeyBody }
  getApiKey: { readonly path: { readonly id: string } }
  setApiKeyRate: { readonly path: { readonly id: string }; readonly body: SetApiKeyRateBody }
  revokeApiKey: { readonly path: { readonly id: string } }
  listEndorsements: { readonly query?: ListEndorsementsQuery }
  getEndorsement: { readonly path: { readonly id: string } }
  approveEndorsement: { readonly path: { readonly id: string } }
  refuseEndorsement: { readonly path: { readonly id: string }; readonly body: RefuseEndorsementBody }
  listLedgerCeilings: { readonly query?: ListLedgerCeilingsQuery }
  getLedgerCeiling: { readonly path: { readonly id: string } }
  setLedgerCeiling: { readonly path: { readonly id: string }; readonly body: SetLedgerCeilingBody }
  getLedgerAgreement: object
  acceptLedgerAgreement: { readonly body: AcceptLedgerAgreementBody }
  beginEnrolment: { readonly body: BeginEnrolmentBody }
  confirmEnrolment: { readonly body: ConfirmEnrolmentBody }
  listSessions: { readonly query?: ListSessionsQuery }
  beginSignIn: { readonly body: BeginSignInBody }
  signOutEverywhere: object
  finishSignIn: { readonly body: FinishSignInBody }
  getStepUp: object
  stepUp: { readonly body: StepUpBody }
  getSession: object
  signOut: object
  endSession: { readonly path: { readonly id: string } }
  changePassword: { readonly body: ChangePasswordBody }
  replaceRecoveryCodes: object
  beginAuthenticator: object
  confirmAuthenticator: { readonly body: ConfirmAuthenticatorBody }
  listPasskeys: { readonly query?: ListPasskeysQuery }
  addPasskey: { readonly body: AddPasskeyBody }
  beginPasskey: object
  removePasskey: { readonly path: { readonly id: string } }
  listMembers: { readonly query?: ListMembersQuery }
  inviteMember: { readonly body: InviteMemberBody }
  getMember: { readonly path: { readonly id: string } }
  changeMemberRole: { readonly path: { readonly id: string }; readonly body: ChangeMemberRoleBody }
  removeMember: { readonly path: { readonly id: string } }
  listOperators: { readonly query?: ListOperatorsQuery }
  inviteOperator: { readonly body: InviteOperatorBody }
  getOperator: { readonly path: { readonly id: string } }
  removeOperator: { readonly path: { readonly id: string } }
  inviteFirstAdministrator: { readonly path: { readonly id: string }; readonly body: InviteFirstAdministratorBody }
  listAuditLog: { readonly query?: ListAuditLogQuery }
  listOperatorAuditLog: { readonly query?: ListOperatorAuditLogQuery }
  getActing: object
  beginActing: { readonly body: BeginActingBody }
  endActing: object
  listParkedRecords: { readonly query?: ListParkedRecordsQuery }
  retryParkedRecord: { readonly path: { readonly id: string } }
  listErasures: { readonly query?: ListErasuresQuery }
  previewDataRetention: { readonly query?: PreviewDataRetentionQuery }
  getOverview: { readonly query?: GetOverviewQuery }
  getOperatorOverview: { readonly query?: GetOperatorOverviewQuery }
  getLedger: object
  getServiceHealth: object
  listNodes: { readonly query?: ListNodesQuery }
  listShards: { readonly query?: ListShardsQuery }
  moveShard: { readonly path: { readonly id: string }; readonly body: MoveShardBody }
  pinShard: { readonly path: { readonly id: string } }
  unpinShard: { readonly path: { readonly id: string } }
  drainNode: { readonly path: { readonly id: string } }
  letNodeTakePart: { readonly path: { readonly id: string } }
  getShardMoves: object
  applyShardPlan: { readonly body: ApplyShardPlanBody }
  planShardMoves: { readonly query?: PlanShardMovesQuery }
  rebalanceShards: object
  stopShardMoves: object
  freezeShardMap: object
  unfreezeShardMap: object
}

/** What each operation answers when all went well. */
export type Gives = {
  createInvitation: Invitation
  listConnections: ConnectionPage
  getConnection: Connection
  getConnectionTimeline: Timeline
  eraseConnection: Connection
  offerCredential: Credential
  listCredentials: CredentialPage
  getCredential: Credential
  getCredentialTimeline: Timeline
  cancelCredential: Credential
  eraseCredential: Credential
  offerCredentials: CredentialOfferJob
  listCredentialOfferJobs: CredentialOfferJobPage
  getCredentialOfferJob: CredentialOfferJob
  listCredentialOfferItems: CredentialOfferItemPage
  requestProof: Proof
  listProofs: ProofPage
  getProof: Proof
  getProofTimeline: Timeline
  cancelProof: Proof
  eraseProof: Proof
  getSchema: Schema
  listSchemas: SchemaPage
  publishSchema: Schema
  retrySchema: Schema
  deprecateSchema: Schema
  getCredentialDefinition: CredentialDefinition
  listCredentialDefinitions: CredentialDefinitionPage
  publishCredentialDefinition: CredentialDefinition
  getKeyGeneration: KeyGeneration
  retryCredentialDefinition: CredentialDefinition
  deprecateCredentialDefinition: CredentialDefinition
  listProofTemplates: ProofTemplatePage
  createProofTemplate: ProofTemplate
  getProofTemplate: ProofTemplate
  editProofTemplate: ProofTemplate
  archiveProofTemplate: ProofTemplate
  getBiometricPolicy: BiometricPolicy
  setBiometricPolicy: BiometricPolicy
  testBiometricPolicy: BiometricTrial
  listWallets: WalletPage
  createWallet: WalletWithToken
  getWallet: Wallet
  revokeWallet: Wallet
  getWebhook: WebhookEndpoint
  setWebhook: WebhookEndpoint | WebhookEndpointWithSecret
  removeWebhook: WebhookEndpoint
  rotateWebhookSecret: WebhookEndpointWithSecret
  listWebhookDeliveries: WebhookDeliveryPage
  getWebhookDelivery: WebhookDeliveryWithAttempts
  retryWebhookDelivery: WebhookDelivery
  retryWebhookDeliveries: WebhookResending
  testWebhook: WebhookDelivery
  getOrganisation: Organisation
  getDataRetention: DataRetention
  setDataRetention: DataRetention
  listTenants: OrganisationPage
  createTenant: Organisation
  getTenant: Organisation
  updateTenant: Organisation
  suspendTenant: Organisation
  resumeTenant: Organisation
  deleteTenant: Organisation
  restoreTenant: Organisation
  listApiKeys: ApiKeyPage
  createApiKey: ApiKeyWithSecret
  getApiKey: ApiKey
  setApiKeyRate: ApiKey
  revokeApiKey: ApiKey
  listEndorsements: EndorsementPage
  getEndorsement: Endorsement
  approveEndorsement: Endorsement
  refuseEndorsement: Endorsement
  listLedgerCeilings: LedgerCeilingPage
  getLedgerCeiling: LedgerCeiling
  setLedgerCeiling: LedgerCeiling
  getLedgerAgreement: LedgerAgreement
  acceptLedgerAgreement: LedgerAgreement
  beginEnrolment: {
  /** The address that was invited. */
  readonly emailAddress: string
  /** The seed for an authenticator that is set up by hand. */
  readonly totpSeed: string
  /** The same as a URL, for a QR code. */
  readonly totpUrl: string
}
  confirmEnrolment: SignedInWithCodes
  listSessions: SessionPage
  beginSignIn: {
  /** For the second step. */
  readonly signIn: string
  /** Until when the second factor may follow. */
  readonly expiresAt: string
  /** What the browser asks a passkey for; null where the account has none. */
  readonly passkey: {
    /** What the passkey signs. */
    readonly challenge: string
    /** The host that the passkeys belong to. */
    readonly rpId: string
    /** The passkeys of the account. */
    readonly credentialIds: readonly string[]
  } | null
}
  signOutEverywhere: {}
  finishSignIn: SignedIn
  getStepUp: {
  /** What the browser asks a passkey for; null where the account has none. */
  readonly passkey: {
    /** What the passkey signs. */
    readonly challenge: string
    /** The host that the passkeys belong to. */
    readonly rpId: string
    /** The passkeys of the account. */
    readonly credentialIds: readonly string[]
  } | null
}
  stepUp: Session
  getSession: SignedIn
  signOut: {}
  endSession: {}
  changePassword: {}
  replaceRecoveryCodes: {
  /** Each works once; shown in this answer alone, and null when it comes again. */
  readonly recoveryCodes: readonly string[] | null
}
  beginAuthenticator: {
  /** The seed for an authenticator that is set up by hand. */
  readonly totpSeed: string
  /** The same as a URL, for a QR code. */
  readonly totpUrl: string
  /** Until when the first code may come. */
  readonly expiresAt: string
}
  confirmAuthenticator: Session
  listPasskeys: PasskeyPage
  addPasskey: Passkey
  beginPasskey: { readonly [name: string]: unknown }
  removePasskey: {}
  listMembers: MemberPage
  inviteMember: MemberWithLink
  getMember: Member
  changeMemberRole: Member
  removeMember: Member
  listOperators: MemberPage
  inviteOperator: MemberWithLink
  getOperator: Member
  removeOperator: Member
  inviteFirstAdministrator: MemberWithLink
  listAuditLog: AuditEntryPage
  listOperatorAuditLog: AuditEntryPage
  getActing: Acting
  beginActing: Acting
  endActing: Acting
  listParkedRecords: ParkedRecordPage
  retryParkedRecord: ParkedRecord
  listErasures: ErasurePage
  previewDataRetention: DataRetentionPreview
  getOverview: Overview
  getOperatorOverview: OperatorOverview
  getLedger: Ledger
  getServiceHealth: ServiceHealth
  listNodes: NodePage
  listShards: ShardPage
  moveShard: PlacedShard
  pinShard: PlacedShard
  unpinShard: PlacedShard
  drainNode: Node
  letNodeTakePart: Node
  getShardMoves: ShardMoves
  applyShardPlan: ShardMoves
  planShardMoves: ShardPlan
  rebalanceShards: ShardMoves
  stopShardMoves: ShardMoves
  freezeShardMap: ShardMoves
  unfreezeShardMap: ShardMoves
}

/** Types of the events that organisations hear of. */
export const eventTypes = [
  'connection.state_changed',
  'credential.state_changed',
  'proof.state_changed',
  'wallet.sync_requested',
  'record.erased',
  'webhook.test',
] as const

export type EventType = (typeof eventTypes)[number]

/** Method and path of each operation; `keyed` has its effect once for an Idempotency-Key. */
export const operations = {
  createInvitation: ['POST', '/v1/connections/invitations', 'keyed'],
  listConnections: ['GET', '/v1/connections', ''],
  getConnection: ['GET', '/v1/connections/{id}', ''],
  getConnectionTimeline: ['GET', '/v1/connections/{id}/timeline', ''],
  eraseConnection: ['POST', '/v1/connections/{id}/erase', 'keyed'],
  offerCredential: ['POST', '/v1/credentials/offer', 'keyed'],
  listCredentials: ['GET', '/v1/credentials', ''],
  getCredential: ['GET', '/v1/credentials/{id}', ''],
  getCredentialTimeline: ['GET', '/v1/credentials/{id}/timeline', ''],
  cancelCredential: ['POST', '/v1/credentials/{id}/cancel', 'keyed'],
  eraseCredential: ['POST', '/v1/credentials/{id}/erase', 'keyed'],
  offerCredentials: ['POST', '/v1/credentials/offers', 'keyed'],
  listCredentialOfferJobs: ['GET', '/v1/credential-offer-jobs', ''],
  getCredentialOfferJob: ['GET', '/v1/credential-offer-jobs/{id}', ''],
  listCredentialOfferItems: ['GET', '/v1/credential-offer-jobs/{id}/items', ''],
  requestProof: ['POST', '/v1/proofs/request', 'keyed'],
  listProofs: ['GET', '/v1/proofs', ''],
  getProof: ['GET', '/v1/proofs/{id}', ''],
  getProofTimeline: ['GET', '/v1/proofs/{id}/timeline', ''],
  cancelProof: ['POST', '/v1/proofs/{id}/cancel', 'keyed'],
  eraseProof: ['POST', '/v1/proofs/{id}/erase', 'keyed'],
  getSchema: ['GET', '/v1/schemas/{id}', ''],
  listSchemas: ['GET', '/v1/schemas', ''],
  publishSchema: ['POST', '/v1/schemas', 'keyed'],
  retrySchema: ['POST', '/v1/schemas/{id}/retry', 'keyed'],
  deprecateSchema: ['POST', '/v1/schemas/{id}/deprecate', 'keyed'],
  getCredentialDefinition: ['GET', '/v1/credential-definitions/{id}', ''],
  listCredentialDefinitions: ['GET', '/v1/credential-definitions', ''],
  publishCredentialDefinition: ['POST', '/v1/credential-definitions', 'keyed'],
  getKeyGeneration: ['GET', '/v1/credential-definitions/{id}/key-generation', ''],
  retryCredentialDefinition: ['POST', '/v1/credential-definitions/{id}/retry', 'keyed'],
  deprecateCredentialDefinition: ['POST', '/v1/credential-definitions/{id}/deprecate', 'keyed'],
  listProofTemplates: ['GET', '/v1/proof-templates', ''],
  createProofTemplate: ['POST', '/v1/proof-templates', 'keyed'],
  getProofTemplate: ['GET', '/v1/proof-templates/{id}', ''],
  editProofTemplate: ['PATCH', '/v1/proof-templates/{id}', ''],
  archiveProofTemplate: ['POST', '/v1/proof-templates/{id}/archive', 'keyed'],
  getBiometricPolicy: ['GET', '/v1/biometric', ''],
  setBiometricPolicy: ['PUT', '/v1/biometric', ''],
  testBiometricPolicy: ['POST', '/v1/biometric/test', ''],
  listWallets: ['GET', '/v1/wallets', ''],
  createWallet: ['POST', '/v1/wallets', 'keyed'],
  getWallet: ['GET', '/v1/wallets/{id}', ''],
  revokeWallet: ['DELETE', '/v1/wallets/{id}', ''],
  getWebhook: ['GET', '/v1/webhook', ''],
  setWebhook: ['PUT', '/v1/webhook', ''],
  removeWebhook: ['DELETE', '/v1/webhook', ''],
  rotateWebhookSecret: ['POST', '/v1/webhook/secret', 'keyed'],
  listWebhookDeliveries: ['GET', '/v1/webhook/deliveries', ''],
  getWebhookDelivery: ['GET', '/v1/webhook/deliveries/{id}', ''],
  retryWebhookDelivery: ['POST', '/v1/webhook/deliveries/{id}/retry', 'keyed'],
  retryWebhookDeliveries: ['POST', '/v1/webhook/deliveries/retry', 'keyed'],
  testWebhook: ['POST', '/v1/webhook/test', 'keyed'],
  getOrganisation: ['GET', '/v1/organisation', ''],
  getDataRetention: ['GET', '/v1/data-retention', ''],
  setDataRetention: ['PUT', '/v1/data-retention', ''],
  listTenants: ['GET', '/v1/operator/tenants', ''],
  createTenant: ['POST', '/v1/operator/tenants', 'keyed'],
  getTenant: ['GET', '/v1/operator/tenants/{id}', ''],
  updateTenant: ['PATCH', '/v1/operator/tenants/{id}', ''],
  suspendTenant: ['POST', '/v1/operator/tenants/{id}/suspend', 'keyed'],
  resumeTenant: ['POST', '/v1/operator/tenants/{id}/resume', 'keyed'],
  deleteTenant: ['POST', '/v1/operator/tenants/{id}/delete', 'keyed'],
  restoreTenant: ['POST', '/v1/operator/tenants/{id}/restore', 'keyed'],
  listApiKeys: ['GET', '/v1/operator/api-keys', ''],
  createApiKey: ['POST', '/v1/operator/api-keys', 'keyed'],
  getApiKey: ['GET', '/v1/operator/api-keys/{id}', ''],
  setApiKeyRate: ['PATCH', '/v1/operator/api-keys/{id}', ''],
  revokeApiKey: ['DELETE', '/v1/operator/api-keys/{id}', ''],
  listEndorsements: ['GET', '/v1/operator/endorsements', ''],
  getEndorsement: ['GET', '/v1/operator/endorsements/{id}', ''],
  approveEndorsement: ['POST', '/v1/operator/endorsements/{id}/approve', 'keyed'],
  refuseEndorsement: ['POST', '/v1/operator/endorsements/{id}/refuse', 'keyed'],
  listLedgerCeilings: ['GET', '/v1/operator/ledger-ceilings', ''],
  getLedgerCeiling: ['GET', '/v1/operator/ledger-ceilings/{id}', ''],
  setLedgerCeiling: ['PUT', '/v1/operator/ledger-ceilings/{id}', ''],
  getLedgerAgreement: ['GET', '/v1/operator/ledger-agreement', ''],
  acceptLedgerAgreement: ['POST', '/v1/operator/ledger-agreement/accept', 'keyed'],
  beginEnrolment: ['POST', '/v1/enrolments', ''],
  confirmEnrolment: ['POST', '/v1/enrolments/confirm', ''],
  listSessions: ['GET', '/v1/sessions', ''],
  beginSignIn: ['POST', '/v1/sessions', ''],
  signOutEverywhere: ['DELETE', '/v1/sessions', ''],
  finishSignIn: ['POST', '/v1/sessions/second-factor', ''],
  getStepUp: ['GET', '/v1/session/step-up', ''],
  stepUp: ['POST', '/v1/session/step-up', ''],
  getSession: ['GET', '/v1/session', ''],
  signOut: ['DELETE', '/v1/session', ''],
  endSession: ['DELETE', '/v1/sessions/{id}', ''],
  changePassword: ['POST', '/v1/account/password', ''],
  replaceRecoveryCodes: ['POST', '/v1/account/recovery-codes', 'keyed'],
  beginAuthenticator: ['POST', '/v1/account/authenticator', ''],
  confirmAuthenticator: ['POST', '/v1/account/authenticator/confirm', ''],
  listPasskeys: ['GET', '/v1/account/passkeys', ''],
  addPasskey: ['POST', '/v1/account/passkeys', ''],
  beginPasskey: ['POST', '/v1/account/passkeys/options', ''],
  removePasskey: ['DELETE', '/v1/account/passkeys/{id}', ''],
  listMembers: ['GET', '/v1/members', ''],
  inviteMember: ['POST', '/v1/members', 'keyed'],
  getMember: ['GET', '/v1/members/{id}', ''],
  changeMemberRole: ['POST', '/v1/members/{id}', 'keyed'],
  removeMember: ['DELETE', '/v1/members/{id}', ''],
  listOperators: ['GET', '/v1/operator/operators', ''],
  inviteOperator: ['POST', '/v1/operator/operators', 'keyed'],
  getOperator: ['GET', '/v1/operator/operators/{id}', ''],
  removeOperator: ['DELETE', '/v1/operator/operators/{id}', ''],
  inviteFirstAdministrator: ['POST', '/v1/operator/tenants/{id}/administrators', 'keyed'],
  listAuditLog: ['GET', '/v1/audit-log', ''],
  listOperatorAuditLog: ['GET', '/v1/operator/audit-log', ''],
  getActing: ['GET', '/v1/operator/acting', ''],
  beginActing: ['POST', '/v1/operator/acting', ''],
  endActing: ['DELETE', '/v1/operator/acting', ''],
  listParkedRecords: ['GET', '/v1/operator/parked', ''],
  retryParkedRecord: ['POST', '/v1/operator/parked/{id}/retry', 'keyed'],
  listErasures: ['GET', '/v1/erasures', ''],
  previewDataRetention: ['GET', '/v1/data-retention/preview', ''],
  getOverview: ['GET', '/v1/overview', ''],
  getOperatorOverview: ['GET', '/v1/operator/overview', ''],
  getLedger: ['GET', '/v1/ledger', ''],
  getServiceHealth: ['GET', '/v1/operator/health', ''],
  listNodes: ['GET', '/v1/operator/nodes', ''],
  listShards: ['GET', '/v1/operator/shards', ''],
  moveShard: ['POST', '/v1/operator/shards/{id}/move', 'keyed'],
  pinShard: ['POST', '/v1/operator/shards/{id}/pin', 'keyed'],
  unpinShard: ['POST', '/v1/operator/shards/{id}/unpin', 'keyed'],
  drainNode: ['POST', '/v1/operator/nodes/{id}/drain', 'keyed'],
  letNodeTakePart: ['POST', '/v1/operator/nodes/{id}/take-part', 'keyed'],
  getShardMoves: ['GET', '/v1/operator/shard-moves', ''],
  applyShardPlan: ['POST', '/v1/operator/shard-moves', 'keyed'],
  planShardMoves: ['GET', '/v1/operator/shard-moves/plan', ''],
  rebalanceShards: ['POST', '/v1/operator/shard-moves/rebalance', 'keyed'],
  stopShardMoves: ['POST', '/v1/operator/shard-moves/stop', 'keyed'],
  freezeShardMap: ['POST', '/v1/operator/shard-moves/freeze', 'keyed'],
  unfreezeShardMap: ['POST', '/v1/operator/shard-moves/unfreeze', 'keyed'],
} as const
