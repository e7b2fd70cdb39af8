import { accountLimits, type Limit } from './account-limits.ts'
import { faceLimitTable } from './face-limits.ts'

/**
 * What the API promises or refuses, the same for every organisation and installation: part of the contract, so not a
 * setting. The table in the operator's manual is made from it.
 */
export const limitTable = {
  attributesMax: { value: 125, unit: 'attributes', doc: 'Attributes in one offer.' },
  attributeNameCharactersMax: { value: 100, unit: 'characters', doc: 'Length of an attribute name.' },
  attributeValueBytesMax: { value: 4_096, unit: 'bytes', doc: 'Size of an attribute value in UTF-8.' },
  attributesBytesMax: { value: 65_536, unit: 'bytes', doc: 'All names and values of an offer together.' },
  expiresAtSecondsMax: {
    value: 2_147_483_647,
    unit: 'Unix seconds',
    doc: 'Latest expiresAt; predicates compare 32-bit integers.',
  },
  referenceImageBytesMax: { value: 5_242_880, unit: 'bytes', doc: 'A reference image, decoded.' },
  referenceImageCharactersMin: {
    value: 100,
    unit: 'characters',
    doc: 'A reference image, in base64, at least.',
  },
  referenceImageCharactersMax: {
    value: 7_000_000,
    unit: 'characters',
    doc: 'A reference image, in base64, at most.',
  },
  ...faceLimitTable,
  headBytesMax: { value: 24_576, unit: 'bytes', doc: 'Request line and headers of a request together.' },
  headersMax: { value: 98, unit: 'headers', doc: 'Headers of a request.' },
  bodyBytesMax: { value: 262_144, unit: 'bytes', doc: 'Body of a request, beside its reference image.' },
  imageBodyBytesMax: {
    value: 8_388_608,
    unit: 'bytes',
    doc: 'Body of a request with its reference image.',
  },
  imageBodiesOfTenantMax: {
    value: 8,
    unit: 'requests',
    doc: 'Requests with more than 262,144 bytes, of one organisation, that are received or answered at once.',
  },
  offerItemsMax: { value: 1_000, unit: 'items', doc: 'Offers in one request for many.' },
  offersBodyBytesMax: { value: 2_097_152, unit: 'bytes', doc: 'Body of a request with many offers.' },
  offersPropertiesMax: {
    value: 150_000,
    unit: 'properties',
    doc: 'Properties of all objects in the body of a request with many offers together.',
  },
  offerJobDays: {
    value: 7,
    unit: 'days',
    doc: 'How long the job of many offers can be read after its end.',
  },
  bodyPropertiesMax: {
    value: 1_000,
    unit: 'properties',
    doc: 'Properties of all objects in the body of any other request together.',
  },
  bodyEntriesMax: {
    value: 5_000,
    unit: 'entries',
    doc: 'Entries of all lists in the body of a request together.',
  },
  bodyDepthMax: {
    value: 64,
    unit: 'levels',
    doc: 'Objects and lists inside each other in the body of a request.',
  },
  envelopeBytesMax: {
    value: 2_097_152,
    unit: 'bytes',
    doc: 'A DIDComm message, over HTTP and over WebSocket.',
  },
  strangerEnvelopeBytesMax: {
    value: 262_144,
    unit: 'bytes',
    doc: 'A DIDComm message of a sender with whom its address has no connection.',
  },
  largeEnvelopesOfConnectionPerMinute: {
    value: 12,
    unit: 'messages',
    doc: 'DIDComm messages of more than 262,144 bytes that a connection may receive in 60 s, on a node.',
  },
  largeEnvelopesOfNetworkPerMinute: {
    value: 60,
    unit: 'messages',
    doc: 'DIDComm messages of more than 262,144 bytes that may come from one network in 60 s, on a node.',
  },
  messagePropertiesMax: {
    value: 20_000,
    unit: 'properties',
    doc: 'Properties of all objects in a DIDComm message together, and in each JSON text that it carries.',
  },
  messageEntriesMax: {
    value: 20_000,
    unit: 'entries',
    doc: 'Entries of all lists in a DIDComm message together, numbers left out, and in each JSON text that it carries.',
  },
  messageNumbersMax: {
    value: 150_000,
    unit: 'numbers',
    doc: 'Numbers in all lists in a DIDComm message together, and in each JSON text that it carries.',
  },
  messageDepthMax: {
    value: 64,
    unit: 'levels',
    doc: 'Objects and lists inside each other in a DIDComm message and in what it carries.',
  },
  pageMax: { value: 100_000, unit: 'pages', doc: 'Highest page number of a list.' },
  pageSizeDefault: {
    value: 25,
    unit: 'records',
    doc: 'Records on a page of a list; 50 and 100 are allowed as well.',
  },
  searchCharactersMax: { value: 100, unit: 'characters', doc: 'Length of q.' },
  externalIdCharactersMax: {
    value: 200,
    unit: 'characters',
    doc: 'Length of an externalId, and of the filter for it.',
  },
  aliasCharactersMax: { value: 200, unit: 'characters', doc: "Length of an invitation's alias." },
  stateCharactersMax: { value: 50, unit: 'characters', doc: 'Length of one value of the state filter.' },
  stateValuesMax: { value: 20, unit: 'values', doc: 'How often the state filter may be repeated.' },
  pathIdCharactersMax: { value: 100, unit: 'characters', doc: 'Length of an id in a path.' },
  ledgerIdCharactersMax: {
    value: 300,
    unit: 'characters',
    doc: 'Length of a credentialDefinitionId in a body.',
  },
  idempotencyKeyCharactersMax: { value: 255, unit: 'characters', doc: 'Length of an Idempotency-Key.' },
  idempotencyHours: { value: 24, unit: 'hours', doc: 'How long an Idempotency-Key is remembered.' },
  rateWindowSeconds: {
    value: 60,
    unit: 'seconds',
    doc: 'The sliding window in which requests of a key or token are counted.',
  },
  mediatorInvitationsMax: {
    value: 3,
    unit: 'invitations',
    doc: 'Mediator invitations of a wallet token within its window.',
  },
  mediatorInvitationsWindowSeconds: {
    value: 600,
    unit: 'seconds',
    doc: 'The window of the mediator invitations.',
  },
  mediatorInvitationMinutes: { value: 60, unit: 'minutes', doc: 'How long such an invitation is good for.' },
  mailboxMessagesMax: {
    value: 1_000,
    unit: 'messages',
    doc: 'Messages that wait for a wallet; those to one of its keys are never more than what is left for all others.',
  },
  mailboxBytesMax: { value: 20_971_520, unit: 'bytes', doc: 'Those messages together, shared likewise.' },
  mailboxMessageDays: { value: 30, unit: 'days', doc: 'How long a message waits for its wallet.' },
  mailboxKeysMax: {
    value: 1_000,
    unit: 'keys',
    doc: 'Keys that a wallet may register with the mediator, with those that it took back.',
  },
  ledgerWritesPerDayDefault: {
    value: 100,
    unit: 'writes',
    doc: 'Schemas and credential definitions that an organisation may order in a day of UTC, retries among them, unless the operators say otherwise.',
  },
  ledgerWritesPerDayMax: {
    value: 100_000,
    unit: 'writes',
    doc: 'The most that the operators can allow it.',
  },
  endorsementReasonCharactersMax: {
    value: 500,
    unit: 'characters',
    doc: 'Length of the reason why an endorsement is refused.',
  },
  ledgerCacheSeconds: { value: 300, unit: 'seconds', doc: 'How long GET /v1/ledger may be cached.' },
  webhookTimeoutMs: {
    value: 10_000,
    unit: 'milliseconds',
    doc: 'A webhook delivery, from connect to the last byte of the answer.',
  },
  webhookAttemptsMax: { value: 12, unit: 'attempts', doc: 'Attempts before a delivery is dead.' },
  webhookBackoffFirstSeconds: {
    value: 5,
    unit: 'seconds',
    doc: 'Pause after the first failed attempt; doubles from then on.',
  },
  webhookBackoffSecondsMax: { value: 3_600, unit: 'seconds', doc: 'Longest pause between two attempts.' },
  webhookAnswerBytesMax: { value: 16_384, unit: 'bytes', doc: "Read of a receiver's answer." },
  webhookAnswerBytesKept: { value: 1_024, unit: 'bytes', doc: "Kept of a receiver's answer." },
  webhookResendingsMax: { value: 16, unit: 'orders', doc: 'Orders to send deliveries again, at once.' },
  eventStreamsOfTenantMax: {
    value: 5,
    unit: 'streams',
    doc: 'Streams of events (GET /v1/events/stream) that an organisation has open at once with its API keys.',
  },
  eventStreamsOfSessionsMax: {
    value: 20,
    unit: 'streams',
    doc: 'Those that the people of an organisation have open at once in the console.',
  },
  eventStreamsOfPersonMax: {
    value: 5,
    unit: 'streams',
    doc: 'Of these, those of one person.',
  },
  eventStreamBacklogMax: {
    value: 256,
    unit: 'events',
    doc: 'How far a reader of a stream of events may be behind before it is cut off.',
  },
  eventStreamEventBytesMax: {
    value: 262_144,
    unit: 'bytes',
    doc: 'Size of an event that a stream of events tells; of a larger one it tells only that it was left out.',
  },
  eventStreamResumeSeconds: {
    value: 60,
    unit: 'seconds',
    doc: 'How long after its end a stream of events can be taken up again by Last-Event-ID.',
  },
  secretOverlapHours: {
    value: 24,
    unit: 'hours',
    doc: 'After a rotation, how long deliveries carry both signatures.',
  },
  syncRequestedSeconds: {
    value: 30,
    unit: 'seconds',
    doc: 'Least time between two wallet.sync_requested events of one wallet.',
  },
  abandonmentHours: {
    value: 24,
    unit: 'hours',
    doc: 'An exchange whose holder is silent for this long is abandoned.',
  },
  walletNeverConnectedDays: { value: 7, unit: 'days', doc: 'A wallet that never connected is revoked.' },
  walletConnectionRemovalDays: {
    value: 30,
    unit: 'days',
    doc: "After revocation, a wallet's mediator connection is removed.",
  },
  retentionDaysDefault: {
    value: 90,
    unit: 'days',
    doc: 'Personal data of finished exchanges is kept, unless the organisation says otherwise; 0 keeps it until erased.',
  },
  overviewDays: {
    value: 90,
    unit: 'days',
    doc: 'How far back an overview counts.',
  },
  retentionDaysMax: { value: 3_650, unit: 'days', doc: 'Longest retention that can be set.' },
  organisationDeletionDays: {
    value: 7,
    unit: 'days',
    doc: 'How long the deletion of an organisation can be called back before it begins.',
  },
  ...accountLimits,
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof limitTable

export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, { value }]) => [name, value]),
) as { readonly [Name in LimitName]: (typeof limitTable)[Name]['value'] }
