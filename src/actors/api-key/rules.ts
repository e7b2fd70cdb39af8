import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider } from '../../domain/decider.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

/** The key names the actor, which knows the hash of the key; the last four characters tell several keys apart. */
export type ApiKeyRecord = {
  readonly status: 'active' | 'revoked'
  readonly tenant: string
  readonly label: string
  readonly lastFour: string
  /** SHA-256 of the key in hex. */
  readonly secretHash: string
  /** Requests in any minute; null: as many as every key may make. */
  readonly ratePerMinute: number | null
  readonly createdAtMs: number
  readonly revokedAtMs: number | null
}

type At = { readonly atMs: number }
type Created = At & Pick<ApiKeyRecord, 'tenant' | 'label' | 'lastFour' | 'secretHash' | 'ratePerMinute'>
type Rate = At & Pick<ApiKeyRecord, 'ratePerMinute'>

export type ApiKeyCommand =
  | ({ readonly type: 'CreateApiKey' } & Created)
  | ({ readonly type: 'RevokeApiKey' } & At)
  | ({ readonly type: 'SetApiKeyRate' } & Rate)

export type ApiKeyEvent =
  | ({ readonly type: 'ApiKeyCreated' } & Created)
  | ({ readonly type: 'ApiKeyRevoked' } & At)
  | ({ readonly type: 'ApiKeyRateSet' } & Rate)

export type ApiKeyTypes = RecordTypes<ApiKeyRecord, ApiKeyCommand, ApiKeyEvent>

export const apiKey = referencesTo<ApiKeyTypes>('key')
export const noSuchApiKey = refuse('not_found', 'There is no API key with this id.')

export const apiKeyDecider: Decider<ApiKeyTypes> = recordDecider({
  unknown: noSuchApiKey,
  first: ['CreateApiKey', 'ApiKeyCreated'],
  create: (command) => ({ ...command, type: 'ApiKeyCreated' }),
  created: (facts, atMs) => ({ ...facts, status: 'active', createdAtMs: atMs, revokedAtMs: null }),
  decide: (record, command) => {
    if (record.status === 'revoked') return NOTHING_HAPPENS
    const { atMs } = command
    if (command.type === 'RevokeApiKey') return [{ type: 'ApiKeyRevoked', atMs }]
    const { ratePerMinute } = command
    return record.ratePerMinute === ratePerMinute
      ? NOTHING_HAPPENS
      : [{ type: 'ApiKeyRateSet', atMs, ratePerMinute }]
  },
  evolve: (record, event) => {
    if (record.status !== 'active') throw impossibleEvent(event, record.status)
    if (event.type === 'ApiKeyRateSet') return { ...record, ratePerMinute: event.ratePerMinute }
    return { ...record, status: 'revoked', revokedAtMs: event.atMs }
  },
})
