import { atMostOne, type Decider } from '../../domain/decider.ts'
import { referencesTo } from '../../domain/references.ts'

/** How long the answer to a key is repeated. */
export const CLAIM_LIFETIME_MS = 24 * 3_600_000

/** What is repeated: no personal field and no secret is in it, and it is sealed nevertheless. */
export type StoredAnswer = { readonly status: number; readonly sealedBody: string }

type Claimed = {
  /** The id that the new record has, whichever request finishes the work. */
  readonly recordId: string
  readonly fingerprint: string
  readonly expiresAtMs: number
}

/**
 * free → claimed → answered → free (a day later, looked at when somebody asks: nothing has to happen by itself).
 * A claim is free again after a refusal; after a failure the next request runs it again with the same record id.
 */
export type IdempotencyClaim =
  | { readonly status: 'free' }
  | (Claimed & { readonly status: 'claimed'; readonly run: string; readonly runUntilMs: number })
  | (Claimed & { readonly status: 'answered'; readonly answer: StoredAnswer })

export type ClaimCommand =
  | {
      readonly type: 'Claim'
      /** Unique to this request, which alone may release the claim by it. */
      readonly run: string
      readonly recordId: string
      readonly fingerprint: string
      readonly atMs: number
      /** When a run that was not heard of any more counts as dead. */
      readonly runUntilMs: number
    }
  | { readonly type: 'StoreAnswer'; readonly run: string; readonly answer: StoredAnswer }
  /** The request was refused: the key may be used for another one. */
  | { readonly type: 'Release'; readonly run: string }
  /** It is not known what became of it, or its answer is not to be stored: the next request runs it again. */
  | { readonly type: 'Yield'; readonly run: string }

export type ClaimEvent =
  | {
      readonly type: 'RunClaimed'
      readonly run: string
      readonly recordId: string
      readonly fingerprint: string
      readonly runUntilMs: number
      readonly expiresAtMs: number
    }
  | { readonly type: 'RunTakenOver'; readonly run: string; readonly runUntilMs: number }
  | { readonly type: 'AnswerStored'; readonly answer: StoredAnswer }
  | { readonly type: 'ClaimReleased' }
  | { readonly type: 'RunYielded' }

export type ClaimReply =
  | { readonly is: 'run'; readonly recordId: string }
  | { readonly is: 'answered'; readonly recordId: string; readonly answer: StoredAnswer }
  | { readonly is: 'in-progress' }
  | { readonly is: 'reused' }
  | { readonly is: 'noted' }

type ClaimRequest = Extract<ClaimCommand, { type: 'Claim' }>

export type ClaimTypes = {
  readonly state: IdempotencyClaim
  readonly command: ClaimCommand
  readonly event: ClaimEvent
  readonly reply: ClaimReply
  readonly views: { readonly record: IdempotencyClaim }
  readonly owed: never
}

export const idempotencyClaim = referencesTo<ClaimTypes>('idc')

export const claimDecider: Decider<ClaimTypes> = {
  initialState: { status: 'free' },
  decide: (state, command) =>
    atMostOne(command.type === 'Claim' ? claim(state, command) : finish(state, command)),
  evolve,
  reply: (state, command) => (command.type === 'Claim' ? replyTo(state, command) : { is: 'noted' }),
  views: { record: (state) => state },
}

const claim = (state: IdempotencyClaim, request: ClaimRequest): ClaimEvent | null => {
  const { run, recordId, fingerprint, atMs, runUntilMs } = request
  if (state.status === 'free' || atMs >= state.expiresAtMs) {
    const expiresAtMs = atMs + CLAIM_LIFETIME_MS
    return { type: 'RunClaimed', run, recordId, fingerprint, runUntilMs, expiresAtMs }
  }
  const mayTakeOver =
    state.status === 'claimed' && state.fingerprint === fingerprint && atMs >= state.runUntilMs
  return mayTakeOver ? { type: 'RunTakenOver', run, runUntilMs } : null
}

const replyTo = (state: IdempotencyClaim, { run, fingerprint }: ClaimRequest): ClaimReply => {
  if (state.status === 'free') return { is: 'in-progress' }
  if (state.fingerprint !== fingerprint) return { is: 'reused' }
  const { recordId } = state
  if (state.status === 'answered') return { is: 'answered', recordId, answer: state.answer }
  return state.run === run ? { is: 'run', recordId } : { is: 'in-progress' }
}

/** A run that was taken over may still bring its answer, which is as true as the other's; it may no longer release. */
const finish = (state: IdempotencyClaim, command: Exclude<ClaimCommand, ClaimRequest>): ClaimEvent | null => {
  if (state.status !== 'claimed') return null
  if (command.type === 'StoreAnswer') return { type: 'AnswerStored', answer: command.answer }
  if (state.run !== command.run) return null
  return { type: command.type === 'Release' ? 'ClaimReleased' : 'RunYielded' }
}

function evolve(state: IdempotencyClaim, event: ClaimEvent): IdempotencyClaim {
  if (event.type === 'RunClaimed') {
    const { type: _, ...claimed } = event
    return { status: 'claimed', ...claimed }
  }
  if (state.status !== 'claimed')
    throw new Error(`${event.type} is impossible while the key is ${state.status}`)
  if (event.type === 'ClaimReleased') return { status: 'free' }
  if (event.type === 'RunYielded') return { ...state, runUntilMs: 0 }
  if (event.type === 'RunTakenOver') return { ...state, run: event.run, runUntilMs: event.runUntilMs }
  const { recordId, fingerprint, expiresAtMs } = state
  return { status: 'answered', recordId, fingerprint, expiresAtMs, answer: event.answer }
}
