import type { OldDecider, Decision } from '../../domain/decider.ts'
import { type Refused, refuse } from '../../domain/refused.ts'

/**
 * The key names the actor, and the actor knows the key's hash; the last four characters are for people who have
 * several. Keys from before had ids made of their own hash, and need no other.
 */
export type ApiKeyRecord = {
  readonly status: 'active' | 'revoked'
  readonly tenant: string
  readonly label: string
  readonly lastFour: string
  /** SHA-256 of the key in hex; null: the id is made of it. */
  readonly secretHash: string | null
  /** Requests in any minute; null: as many as every key may make. */
  readonly ratePerMinute: number | null
  readonly createdAtMs: number
  readonly revokedAtMs: number | null
}
export type ApiKeyState = { readonly status: 'none' } | ApiKeyRecord

type Created = Pick<ApiKeyRecord, 'tenant' | 'label' | 'lastFour' | 'secretHash' | 'ratePerMinute'>

export type ApiKeyCommand =
  | ({ readonly type: 'CreateApiKey'; readonly atMs: number } & Created)
  | { readonly type: 'RevokeApiKey'; readonly atMs: number }
  | { readonly type: 'SetApiKeyRate'; readonly atMs: number; readonly ratePerMinute: number | null }
  | { readonly type: 'ReadApiKey' }

export type ApiKeyEvent =
  | ({ readonly type: 'ApiKeyCreated'; readonly atMs: number } & Created)
  | { readonly type: 'ApiKeyRevoked'; readonly atMs: number }
  | { readonly type: 'ApiKeyRateSet'; readonly atMs: number; readonly ratePerMinute: number | null }

export type ApiKeyReply = { readonly apiKey: ApiKeyRecord } | Refused

type Decided = Decision<ApiKeyEvent, ApiKeyReply>

export const apiKeyDecider: OldDecider<ApiKeyState, ApiKeyCommand, ApiKeyEvent, ApiKeyReply> = {
  initialState: { status: 'none' },
  decide,
  repeat: (state) => (state.status === 'none' ? unknown().reply : { apiKey: state }),
  evolve,
  owed: () => [],
  timers: () => [],
}

const nothing = (reply: ApiKeyReply): Decided => ({ events: [], reply })
const unknown = (): Decided => nothing(refuse('not_found', 'There is no API key with this id.'))

function decide(state: ApiKeyState, command: ApiKeyCommand): Decided {
  if (command.type === 'CreateApiKey') {
    if (state.status !== 'none') return nothing({ apiKey: state })
    const { type: _, ...created } = command
    return moved(state, { type: 'ApiKeyCreated', ...created })
  }
  if (state.status === 'none') return unknown()
  if (command.type === 'ReadApiKey' || state.status === 'revoked') return nothing({ apiKey: state })
  if (command.type === 'SetApiKeyRate') {
    const { atMs, ratePerMinute } = command
    if (state.ratePerMinute === ratePerMinute) return nothing({ apiKey: state })
    return moved(state, { type: 'ApiKeyRateSet', atMs, ratePerMinute })
  }
  return moved(state, { type: 'ApiKeyRevoked', atMs: command.atMs })
}

function evolve(state: ApiKeyState, event: ApiKeyEvent): ApiKeyState {
  if (event.type === 'ApiKeyCreated') {
    if (state.status !== 'none') throw impossible(state, event)
    const { type: _, atMs, ...created } = event
    return { ...created, status: 'active', createdAtMs: atMs, revokedAtMs: null }
  }
  if (state.status !== 'active') throw impossible(state, event)
  if (event.type === 'ApiKeyRateSet') return { ...state, ratePerMinute: event.ratePerMinute }
  return { ...state, status: 'revoked', revokedAtMs: event.atMs }
}

const moved = (state: ApiKeyState, event: ApiKeyEvent): Decided => ({
  events: [event],
  reply: { apiKey: evolve(state, event) as ApiKeyRecord },
})

const impossible = (state: ApiKeyState, event: ApiKeyEvent): Error =>
  new Error(`${event.type} is impossible in ${state.status}`)
