import { type Decider, impossibleEvent, NOTHING_HAPPENS } from '../../domain/decider.ts'
import { referencesTo } from '../../domain/references.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

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
export type ApiKeyState = { readonly status: 'none' } | ApiKeyRecord

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

export type ApiKeyTypes = {
  readonly state: ApiKeyState
  readonly command: ApiKeyCommand
  readonly event: ApiKeyEvent
  readonly reply: ApiKeyRecord
  readonly views: { readonly record: ApiKeyRecord }
  readonly owed: never
}

export const apiKeys = referencesTo<ApiKeyTypes>('key')
export const noSuchApiKey = refuse('not_found', 'There is no API key with this id.')

export const apiKeyDecider: Decider<ApiKeyTypes> = {
  initialState: { status: 'none' },
  decide,
  evolve,
  reply: (state) => state as ApiKeyRecord,
  views: { record: (state) => (state.status === 'none' ? noSuchApiKey : state) },
}

function decide(state: ApiKeyState, command: ApiKeyCommand): readonly ApiKeyEvent[] | Refused {
  if (command.type === 'CreateApiKey') {
    return state.status === 'none' ? [{ ...command, type: 'ApiKeyCreated' }] : NOTHING_HAPPENS
  }
  if (state.status === 'none') return noSuchApiKey
  if (state.status === 'revoked') return NOTHING_HAPPENS
  const { atMs } = command
  if (command.type === 'RevokeApiKey') return [{ type: 'ApiKeyRevoked', atMs }]
  const { ratePerMinute } = command
  return state.ratePerMinute === ratePerMinute
    ? NOTHING_HAPPENS
    : [{ type: 'ApiKeyRateSet', atMs, ratePerMinute }]
}

function evolve(state: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  if (event.type === 'ApiKeyCreated') {
    if (state.status !== 'none') throw impossibleEvent(event, state.status)
    const { type: _, atMs, ...created } = event
    return { ...created, status: 'active', createdAtMs: atMs, revokedAtMs: null }
  }
  if (state.status !== 'active') throw impossibleEvent(event, state.status)
  if (event.type === 'ApiKeyRateSet') return { ...state, ratePerMinute: event.ratePerMinute }
  return { ...state, status: 'revoked', revokedAtMs: event.atMs }
}
