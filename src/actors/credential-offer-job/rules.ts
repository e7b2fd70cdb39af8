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
export type KeptWave = {
  readonly number: number
  readonly indexes: readonly number[]
  readonly body: BodyReference
}

export type OfferWave = KeptWave & {
  /** Some of its items failed for now, and come again beside the waves that follow. */
  readonly isSetAside: boolean
  /** The body that what is left of it is about to have: it is kept from before it is written. */
  readonly restBody?: string
}

type Opened = {
  /** Its own, by which lists find it. */
  readonly id: string
  readonly tenant: string
  readonly total: number
}

type Items<Wave extends KeptWave> = {
  /** The keys of all items, which are the caller's own texts, as a body. */
  readonly keys: BodyReference
  readonly waves: readonly Wave[]
}

type Known = Opened & {
  /** In the order in which they became known. */
  readonly results: readonly ItemResult[]
  /** Why items were refused, in words: a ciphertext of `reasons.ts` for each time that some were. */
  readonly sealedReasons: readonly string[]
  /** How many of the results are exchanges; all others were refused. */
  readonly offered: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

/**
 *   receiving ──its items are kept──▶ running ──the last wave was offered──▶ finished ──a week──▶ forgotten
 *       └──────────────────── the request was given up ──────────────────────────────────────────────▲
 *
 * What the items say is sealed under its key, which goes when it is finished.
 */
export type OfferJob =
  | (Known & { readonly status: 'receiving' | 'forgotten' })
  | (Known & Items<OfferWave> & Running)

type Running = {
  readonly status: 'running' | 'finished'
  /** There once the keys of all items were claimed: the indexes of those whose keys were not to be had. */
  readonly unclaimed?: readonly number[]
}

type Timed = { readonly atMs: number }
type Unclaimed = { readonly unclaimed: readonly number[] }
/** What of a wave comes again, where some of its items have come to something. */
export type WaveRest = Pick<KeptWave, 'indexes' | 'body'>
type RestName = { readonly wave: number; readonly restBody: string }
type WaveOutcome = {
  readonly rest?: WaveRest
  readonly wave: number
  readonly results: readonly ItemResult[]
  /** Null where none was refused. */
  readonly sealedReasons: string | null
}

export type OfferJobCommand =
  | ({ readonly type: 'OpenOfferJob' } & Timed & Opened)
  | ({ readonly type: 'BeginOfferJob' } & Timed & Items<KeptWave>)
  | ({ readonly type: 'RecordKeysClaimed' } & Timed & Unclaimed)
  | ({ readonly type: 'NameRest' } & Timed & RestName)
  | ({ readonly type: 'RecordWaveOffered' } & Timed & WaveOutcome)
  | ({ readonly type: 'ForgetOfferJob' } & Timed)

type OfferJobEvent =
  | ({ readonly type: 'OfferJobOpened' } & Timed & Opened)
  | ({ readonly type: 'OfferJobBegun' } & Timed & Items<KeptWave>)
  | ({ readonly type: 'KeysClaimed' } & Timed & Unclaimed)
  | ({ readonly type: 'RestNamed' } & Timed & RestName)
  | ({ readonly type: 'WaveOffered' } & Timed & WaveOutcome)
  | ({ readonly type: 'OfferJobForgotten' } & Timed)

export type OfferJobEffect = ClaimKeys | OfferItems

type OfJob = { readonly id: string; readonly job: Pick<OfferJob, 'tenant' | 'createdAtMs'> }

export type ClaimKeys = OfJob & {
  readonly kind: 'claim-keys'
  readonly waves: readonly KeptWave[]
}

export type OfferItems = OfJob & {
  readonly kind: 'offer-wave'
  readonly wave: OfferWave
  /** The indexes of its items that have a result already. */
  readonly done: readonly number[]
  /** The indexes of its items that have to claim their keys first. */
  readonly unclaimed: readonly number[]
}

export type OfferJobTypes = RecordTypes<OfferJob, OfferJobCommand, OfferJobEvent, OfferJobEffect>

export const offerJob = referencesTo<OfferJobTypes>('coj')

/** How long what an item says can wait for its turn, as where its organisation rests, and how long keys are kept. */
export const ITEMS_LIFE_MS = 45 * 86_400_000
/**
 * A request that was cut off goes on under its Idempotency-Key for as long as that is remembered, and an hour for clocks
 * that differ: were its job forgotten before, the answer to its repetition would name a job that offers nothing.
 */
const RECEIVING_MS = (limits.idempotencyHours + 1) * 3_600_000
const KEPT_MS = limits.offerJobDays * 86_400_000

export const offerJobDecider: Decider<OfferJobTypes> = recordDecider({
  unknown: refuse('not_found', 'There is no job with this id.'),
  first: ['OpenOfferJob', 'OfferJobOpened'],
  create: (command) => ({ ...command, type: 'OfferJobOpened' }),
  created: (opened, atMs) => ({
    ...opened,
    status: 'receiving',
    results: [],
    sealedReasons: [],
    offered: 0,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }),
  decide: (job, command) => {
    if (command.type === 'BeginOfferJob')
      return atMostOne(job.status === 'receiving' ? { ...command, type: 'OfferJobBegun' } : null)
    if (command.type === 'RecordKeysClaimed')
      return atMostOne(isToClaim(job) ? { ...command, type: 'KeysClaimed' } : null)
    if (command.type === 'NameRest')
      return atMostOne(waitingWave(job, command.wave) === null ? null : { ...command, type: 'RestNamed' })
    if (command.type === 'RecordWaveOffered') {
      // A late attempt may bring again what is known.
      const known = new Set(indexesIn(job.results))
      const results = command.results.filter(([index]) => !known.has(index))
      const wave = waitingWave(job, command.wave)
      const isNews = wave !== null && (results.length > 0 || !wave.isSetAside)
      if (!isNews) return NOTHING_HAPPENS
      const { rest, ...outcome } = command
      // The body of an attempt that was overtaken may be deleted: the wave keeps the one that it has.
      const isKept = rest !== undefined && rest.body.id === wave.restBody
      return [{ ...outcome, type: 'WaveOffered', results, ...(isKept && { rest }) }]
    }
    const { atMs } = command
    const forgottenAtMs = forgottenFromMs(job)
    const isDue = forgottenAtMs !== null && atMs >= forgottenAtMs
    return atMostOne(isDue ? { type: 'OfferJobForgotten', atMs } : null)
  },
  evolve: (job, event) => {
    const { atMs: updatedAtMs } = event
    if (event.type === 'OfferJobForgotten') {
      if (forgottenFromMs(job) === null) throw impossibleEvent(event, job.status)
      return { ...knownOf(job), status: 'forgotten', results: [], sealedReasons: [], updatedAtMs }
    }
    if (event.type === 'OfferJobBegun') {
      if (job.status !== 'receiving') throw impossibleEvent(event, job.status)
      const { keys, waves } = event
      const untried = waves.map((wave) => ({ ...wave, isSetAside: false }))
      return { ...job, status: 'running', keys, waves: untried, updatedAtMs }
    }
    if (event.type === 'KeysClaimed') {
      if (job.status !== 'running') throw impossibleEvent(event, job.status)
      return { ...job, unclaimed: event.unclaimed, updatedAtMs }
    }
    if (job.status !== 'running' || waitingWave(job, event.wave) === null)
      throw impossibleEvent(event, job.status)
    if (event.type === 'RestNamed') {
      const { wave: number, restBody } = event
      const waves = job.waves.map((wave) => (wave.number === number ? { ...wave, restBody } : wave))
      return { ...job, waves, updatedAtMs }
    }
    const { sealedReasons } = event
    const results = [...job.results, ...event.results]
    const waves = wavesAfter(job.waves, event, results)
    const offered = event.results.filter(([, credentialId]) => credentialId !== null).length
    return {
      ...job,
      status: waves.length === 0 ? 'finished' : 'running',
      waves,
      results,
      sealedReasons: sealedReasons === null ? job.sealedReasons : [...job.sealedReasons, sealedReasons],
      offered: job.offered + offered,
      updatedAtMs,
    }
  },
  owed: (job) => {
    if (job.status !== 'running') return NOTHING_HAPPENS
    if (isToClaim(job)) return [claimsOf(job)]
    const next = job.waves.find(({ isSetAside }) => !isSetAside)
    return job.waves.filter((wave) => wave === next || wave.isSetAside).map((wave) => offerOfWave(job, wave))
  },
  timers: (job) => {
    const dueMs = forgottenFromMs(job)
    return dueMs === null ? NOTHING_HAPPENS : [{ id: 'forget', dueMs }]
  },
})

/** Null for a job that runs, or is forgotten. */
const forgottenFromMs = ({ status, createdAtMs, updatedAtMs }: OfferJob): number | null => {
  if (status === 'receiving') return createdAtMs + RECEIVING_MS
  return status === 'finished' ? updatedAtMs + KEPT_MS : null
}

const knownOf = (job: OfferJob): Known => {
  const { id, tenant, total, results, sealedReasons, offered, createdAtMs, updatedAtMs } = job
  return { id, tenant, total, results, sealedReasons, offered, createdAtMs, updatedAtMs }
}

const indexesIn = (results: readonly ItemResult[]): readonly number[] => results.map(([index]) => index)

/** A wave that was tried and is not over is set aside. */
const wavesAfter = (
  waves: readonly OfferWave[],
  { wave: tried, rest }: Pick<WaveOutcome, 'wave' | 'rest'>,
  results: readonly ItemResult[],
): readonly OfferWave[] => {
  const known = new Set(indexesIn(results))
  return waves.flatMap((wave) => {
    if (wave.number !== tried) return [wave]
    const { restBody: _, ...kept } = wave
    return wave.indexes.every((index) => known.has(index)) ? [] : [{ ...kept, ...rest, isSetAside: true }]
  })
}

type RunningJob = Extract<OfferJob, { keys: unknown }>

/** The keys of one wave are claimed with it, in as few commits. */
const isToClaim = (job: OfferJob): boolean =>
  job.status === 'running' && job.unclaimed === undefined && job.waves.length > 1

const claimsOf = ({ tenant, createdAtMs, waves }: RunningJob): ClaimKeys => ({
  id: 'claims',
  kind: 'claim-keys',
  job: { tenant, createdAtMs },
  waves,
})

/** The name of a wave that is set aside changes with what is left of it: the pauses between its tries begin again. */
const offerOfWave = (job: RunningJob, wave: OfferWave): OfferItems => {
  const { tenant, createdAtMs, results } = job
  const ofWave = new Set(wave.indexes)
  const done = indexesIn(results).filter((index) => ofWave.has(index))
  const id = wave.isSetAside
    ? `again:${wave.number}:${wave.indexes.length - done.length}`
    : `wave:${wave.number}`
  // Whoever is refused claims its key once more before it gives it back: it may be another's by then.
  const notHad = new Set(wave.isSetAside ? wave.indexes : (job.unclaimed ?? wave.indexes))
  const unclaimed = wave.indexes.filter((index) => notHad.has(index))
  return { id, kind: 'offer-wave', job: { tenant, createdAtMs }, wave, done, unclaimed }
}

const waitingWave = (job: OfferJob, number: number): OfferWave | null =>
  job.status === 'running' ? (job.waves.find((wave) => wave.number === number) ?? null) : null
