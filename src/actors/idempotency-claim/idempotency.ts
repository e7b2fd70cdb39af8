import type { Actors } from '../../ports/actors.ts'
import type { Runtime } from '../../ports/runtime.ts'
import type { Vault } from '../../ports/vault.ts'
import { isRefused } from '../../domain/decider.ts'
import type { Ref } from '../../domain/references.ts'
import { refOfText } from '../ids.ts'
import {
  idempotencyClaim,
  type ClaimCommand,
  type ClaimReply,
  type ClaimTypes,
  type StoredAnswer,
} from './rules.ts'
import type {
  IdempotentAnswer,
  IdempotentOutcome,
  IdempotentRequest,
  IdempotentWork,
} from '../../http/route/idempotency.ts'

export type IdempotencyPorts = {
  readonly actors: Actors
  readonly vault: Vault
  readonly runtime: Runtime
  /** After this a run that was not heard of counts as dead; longer than any request may take. */
  readonly runMs: number
}

const IN_PROGRESS_RETRY_MS = 1_000
const UNIQUE_BYTES = 20

/** One effect per key: a crash anywhere leaves a claim, and the retry completes it with the same record id. */
export const runOncePerKey = async (
  ports: IdempotencyPorts,
  request: IdempotentRequest,
  work: IdempotentWork,
): Promise<IdempotentOutcome> => {
  const { vault, runtime, runMs } = ports
  const claim = await claimOf(vault, request)
  const fingerprint = await fingerprintOf(vault, request.tenant, canonicalJson(request.body))
  const run = runtime.newId()
  const proposedId = work.newRecordId()
  const atMs = Math.floor(runtime.now())
  const reply = await ask(ports, request, claim, {
    type: 'Claim',
    run,
    recordId: proposedId,
    fingerprint,
    atMs,
    runUntilMs: atMs + runMs,
  })
  if (reply.is === 'answered') return replay(ports, request, claim, work, reply)
  if (reply.is === 'reused') return { is: 'idempotency_key_reused' }
  if (reply.is !== 'run') return { is: 'idempotency_in_progress', retryAfterMs: IN_PROGRESS_RETRY_MS }
  const { recordId } = reply
  const isTakenOver = recordId !== proposedId
  const isFirst = !isTakenOver || work.secretFields.length > 0
  const running = isFirst ? work : { ...work, run: completing(work) }
  return runClaimed(ports, request, claim, running, { recordId, run, isTakenOver })
}

/**
 * An earlier attempt may have made the record before it was lost. Then nothing is decided a second time: what has
 * changed since (a connection that closed, an expiry that passed) must not turn what happened into a refusal.
 */
const completing =
  ({ showRecord, run, createdStatus }: IdempotentWork): IdempotentWork['run'] =>
  async (recordId, attempt) => {
    const made = await showRecord(recordId)
    return made === null ? run(recordId, attempt) : { status: createdStatus, body: made }
  }

type Claimed = { readonly recordId: string; readonly run: string; readonly isTakenOver: boolean }

const runClaimed = async (
  ports: IdempotencyPorts,
  request: IdempotentRequest,
  claim: Ref<ClaimTypes>,
  work: IdempotentWork,
  { recordId, run, isTakenOver }: Claimed,
): Promise<IdempotentOutcome> => {
  let answer: IdempotentAnswer
  try {
    answer = await work.run(recordId, run)
  } catch (error) {
    await note(ports, request, claim, async () => ({ type: 'Yield', run }))
    throw error
  }
  await note(ports, request, claim, () => closing(ports, request, claim, work, { run, isTakenOver }, answer))
  return { is: 'answer', answer, isReplayed: false }
}

/**
 * Only what succeeded is stored; a refusal gives the key back, but where it was taken over: whoever had it before may yet
 * make the record. What failed is run again by the next request.
 */
const closing = async (
  { vault }: IdempotencyPorts,
  { tenant }: IdempotentRequest,
  claim: Ref<ClaimTypes>,
  { storedFields }: IdempotentWork,
  { run, isTakenOver }: Omit<Claimed, 'recordId'>,
  { status, body }: IdempotentAnswer,
): Promise<ClaimCommand> => {
  if (status >= 400 && status < 500) return { type: isTakenOver ? 'Yield' : 'Release', run }
  if (status >= 300) return { type: 'Yield', run }
  const kept = Object.fromEntries(
    storedFields.filter((name) => name in body).map((name) => [name, body[name]]),
  )
  const seal = await vault.openTenant(tenant)
  return { type: 'StoreAnswer', run, answer: { status, sealedBody: seal.seal(JSON.stringify(kept), claim) } }
}

const replay = async (
  { vault }: IdempotencyPorts,
  { tenant }: IdempotentRequest,
  claim: Ref<ClaimTypes>,
  work: IdempotentWork,
  { recordId, answer }: { readonly recordId: string; readonly answer: StoredAnswer },
): Promise<IdempotentOutcome> => {
  const [seal, record] = await Promise.all([vault.openTenant(tenant), work.showRecord(recordId)])
  const opened = seal.open(answer.sealedBody, claim)
  const kept = opened === null ? {} : (JSON.parse(opened) as Record<string, unknown>)
  const secrets = Object.fromEntries(work.secretFields.map((name) => [name, null]))
  const body = { ...record, ...kept, ...secrets }
  return { is: 'answer', answer: { status: answer.status, body }, isReplayed: true }
}

/** The record is there either way; where the claim does not learn of it, the retry runs again. */
const note = async (
  ports: IdempotencyPorts,
  request: IdempotentRequest,
  claim: Ref<ClaimTypes>,
  command: () => Promise<ClaimCommand>,
): Promise<void> => {
  try {
    await ask(ports, request, claim, await command())
  } catch {
    // The run counts as dead after its time, and creating the same record again is harmless.
  }
}

export const ask = async (
  { actors }: Pick<IdempotencyPorts, 'actors'>,
  { tenant }: Pick<IdempotentRequest, 'tenant'>,
  claim: Ref<ClaimTypes>,
  command: ClaimCommand,
): Promise<ClaimReply> => {
  const reply = await actors.ask(claim, command, { commandId: `${command.type} ${command.run}`, tenant })
  if (isRefused(reply)) throw new Error(`a claim was refused: ${reply.reason}`)
  return reply
}

/** A keyed hash: neither the shard nor the id says anything about the key. */
export const claimOf = async (
  vault: Pick<Vault, 'fingerprint'>,
  { tenant, method, path, key }: Omit<IdempotentRequest, 'body'>,
): Promise<Ref<ClaimTypes>> => {
  const keyed = await vault.fingerprint(tenant, `key ${canonicalJson([method, path, key])}`)
  return refOfText(idempotencyClaim, keyed, UNIQUE_BYTES)
}

/** Of a body in the one form that all its spellings have in common. */
export const fingerprintOf = (
  vault: Pick<Vault, 'fingerprint'>,
  tenant: string,
  canonical: string,
): Promise<string> => vault.fingerprint(tenant, `body ${canonical}`)

/** The same text for the same value, whatever the order in which its properties were written. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'null'

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => [name, sorted(inner)])
  entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
  // Not an object literal: a property called __proto__ is a property like any other here.
  return Object.fromEntries(entries)
}
