import type { BodyReference } from '../../domain/body-reference.ts'
import { NOTHING_HAPPENS, atMostOne, impossibleEvent, refuse, type Decider } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

/** Why an item was not offered, in the words of an offer by itself. */
export const ITEM_ERRORS = [
  'invalid_request',
  'connection_not_found',
  'credential_definition_not_found',
  'connection_not_ready',
  'credential_definition_not_published',
  'idempotency_key_reused',
  'attributes_mismatch',
  'attributes_too_many',
  'attribute_name_too_long',
  'attribute_value_too_large',
  'attributes_too_large',
  'expires_at_required',
  'expires_at_invalid',
  'biometric_reference_required',
  'record_erased',
  'internal',
] as const
export type ItemError = (typeof ITEM_ERRORS)[number]

/** What became of an item: the exchange that it is, or why it is none. */
export type ItemResult = readonly [index: number, credentialId: string | null, error: ItemError | null]

/** Items that are offered together. What they say waits as a body beside the journal. */
export type OfferWave = {
  readonly number: number
  readonly indexes: readonly number[]
  readonly body: BodyReference
}

type Begun = {
  /** Its own, by which lists find it. */
  readonly id: string
  readonly tenant: string
  readonly total: number
  /** The keys of all items, which are the caller's own texts, as a body. */
  readonly keys: BodyReference
  readonly waves: readonly OfferWave[]
}

/**
 *   running ──the last wave was offered──▶ finished ──a week──▶ forgotten
 */
export type OfferJob = Begun & {
  readonly status: 'running' | 'finished' | 'forgotten'
  /** In the order in which they became known. */
  readonly results: readonly ItemResult[]
  /** In words, by the index of the item; null where they cannot be read any more. */
  readonly reasons: Readonly<Record<string, string>> | null
  readonly offered: number
  readonly refused: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

type Timed = { readonly atMs: number }
type WaveOutcome = {
  readonly wave: number
  readonly results: readonly ItemResult[]
  /** Null where none was refused. */
  readonly reasons: Readonly<Record<string, string>> | null
}

export type OfferJobCommand =
  | ({ readonly type: 'BeginOfferJob' } & Timed & Begun)
  | ({ readonly type: 'RecordWaveOffered' } & Timed & WaveOutcome)
  | ({ readonly type: 'ForgetOfferJob' } & Timed)

type OfferJobEvent =
  | ({ readonly type: 'OfferJobBegun' } & Timed & Begun)
  | ({ readonly type: 'WaveOffered' } & Timed & WaveOutcome)
  | ({ readonly type: 'OfferJobForgotten' } & Timed)

export type OfferJobEffect = {
  readonly id: string
  readonly kind: 'offer-wave'
  readonly job: Pick<OfferJob, 'tenant' | 'createdAtMs'>
  readonly wave: OfferWave
  /** The indexes of its items that have a result already. */
  readonly done: readonly number[]
}

export type OfferJobTypes = RecordTypes<OfferJob, OfferJobCommand, OfferJobEvent, OfferJobEffect>

export const offerJob = referencesTo<OfferJobTypes>('coj')

/** How long what an item says can wait for its turn, as where its organisation rests, and how long keys are kept. */
export const ITEMS_LIFE_MS = 45 * 86_400_000
const KEPT_MS = limits.offerJobDays * 86_400_000

export const offerJobDecider: Decider<OfferJobTypes> = recordDecider({
  unknown: refuse('not_found', 'There is no job with this id.'),
  first: ['BeginOfferJob', 'OfferJobBegun'],
  create: (command) => ({ ...command, type: 'OfferJobBegun' }),
  created: (begun, atMs) => ({
    ...begun,
    status: 'running',
    results: [],
    reasons: null,
    offered: 0,
    refused: 0,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }),
  decide: (job, command) => {
    if (command.type === 'RecordWaveOffered') {
      // A late attempt may bring again what is known.
      const known = new Set(indexesIn(job.results))
      const results = command.results.filter(([index]) => !known.has(index))
      const isNews = isWaiting(job, command.wave) && results.length > 0
      return atMostOne(isNews ? { ...command, type: 'WaveOffered', results } : null)
    }
    const { atMs } = command
    const isDue = job.status === 'finished' && atMs >= job.updatedAtMs + KEPT_MS
    return atMostOne(isDue ? { type: 'OfferJobForgotten', atMs } : null)
  },
  evolve: (job, event) => {
    const { atMs: updatedAtMs } = event
    if (event.type === 'OfferJobForgotten') {
      if (job.status !== 'finished') throw impossibleEvent(event, job.status)
      return { ...job, status: 'forgotten', results: [], reasons: null, updatedAtMs }
    }
    if (!isWaiting(job, event.wave)) throw impossibleEvent(event, job.status)
    const results = [...job.results, ...event.results]
    const waves = job.waves.filter((wave) => wave.number !== event.wave || !isOver(wave, results))
    const offered = event.results.filter(([, credentialId]) => credentialId !== null).length
    return {
      ...job,
      status: waves.length === 0 ? 'finished' : 'running',
      waves,
      results,
      reasons: event.reasons === null ? job.reasons : { ...job.reasons, ...event.reasons },
      offered: job.offered + offered,
      refused: job.refused + event.results.length - offered,
      updatedAtMs,
    }
  },
  owed: ({ tenant, createdAtMs, results, waves: [wave] }) => {
    if (wave === undefined) return NOTHING_HAPPENS
    const ofWave = new Set(wave.indexes)
    const done = indexesIn(results).filter((index) => ofWave.has(index))
    return [{ id: `wave:${wave.number}`, kind: 'offer-wave', job: { tenant, createdAtMs }, wave, done }]
  },
  timers: ({ status, updatedAtMs }) =>
    status === 'finished' ? [{ id: 'forget', dueMs: updatedAtMs + KEPT_MS }] : NOTHING_HAPPENS,
})

const indexesIn = (results: readonly ItemResult[]): readonly number[] => results.map(([index]) => index)

const isOver = ({ indexes }: OfferWave, results: readonly ItemResult[]): boolean => {
  const known = new Set(indexesIn(results))
  return indexes.every((index) => known.has(index))
}

const isWaiting = ({ waves }: OfferJob, wave: number): boolean => waves.some(({ number }) => number === wave)
