import { createHash } from 'node:crypto'
import type { AskedSession, Attempt, Reading } from '../../ports/face-vendor.ts'
import { away } from '../outcomes.ts'
import { isJson, type Json } from './json.ts'

type Asked = AskedSession & { readonly nowMs: number }

/** One session allows three tries; what has more is of another shape. */
const ATTEMPTS_MAX = 20
const FINGERPRINT = /^[0-9a-fA-F]{64}$/
const DECISIONS: readonly string[] = ['realface', 'spoofface', 'uncertain']

/**
 * What came of a session. It is read from the results of the tries and not from the session's `status`, which stays as it
 * was at the beginning. A try with an error has no result, and the vendor lets the person try again.
 */
export const readingOf = (session: Json, asked: Asked): Reading => {
  if (session['sessionId'] !== asked.sessionId) return away('contradictory')
  const results = isJson(session['results']) ? (session['results']['attempts'] ?? []) : []
  if (!Array.isArray(results) || results.length > ATTEMPTS_MAX) return away('unreadable')
  const read: (Numbered | 'no result' | 'unreadable' | 'contradictory')[] = results.map((each: unknown) =>
    isJson(each) ? attemptOf(each, asked) : 'unreadable',
  )
  if (read.includes('unreadable')) return away('unreadable')
  if (read.includes('contradictory')) return away('contradictory')
  const numbered = read
    .filter((each) => typeof each !== 'string')
    .toSorted((one, other) => one.number - other.number)
  if (new Set(numbered.map(({ number }) => number)).size < numbered.length) return away('contradictory')
  const [first, ...others] = numbered.map(({ attempt }) => attempt)
  if (first !== undefined) return { kind: 'results', attempts: [first, ...others] }
  return { kind: asked.nowMs < asked.lapsesAtMs ? 'not-yet' : 'lapsed' }
}

type Numbered = { readonly number: number; readonly attempt: Attempt }

function attemptOf(
  { attemptId: number, attemptStatus, result, error }: Json,
  asked: Asked,
): Numbered | 'no result' | 'unreadable' | 'contradictory' {
  if (typeof number !== 'number' || !Number.isInteger(number) || number < 0) return 'unreadable'
  const hasResult = result !== undefined && result !== null
  const hasError = error !== undefined && error !== null
  if (hasResult && hasError) return 'contradictory'
  if (!hasResult) return attemptStatus === 'Succeeded' ? 'contradictory' : 'no result'
  if (!isJson(result)) return 'unreadable'
  const judged = judgedBy(result, asked)
  if (typeof judged === 'string') return judged
  return { number, attempt: { id: `${asked.sessionId}/${number}`, ...judged } }
}

function judgedBy(result: Json, asked: Asked): Omit<Attempt, 'id'> | 'unreadable' | 'contradictory' {
  const { livenessDecision, verifyResult, verifyImageHash } = result
  // Written in two ways in the vendor's own documents.
  const decision = typeof livenessDecision === 'string' ? livenessDecision.toLowerCase() : ''
  if (!DECISIONS.includes(decision)) return 'unreadable'
  // The session was begun with the wish to be told of which image its results are.
  if (typeof verifyImageHash !== 'string' || !FINGERPRINT.test(verifyImageHash)) return 'unreadable'
  if (verifyImageHash.toLowerCase() !== fingerprintOf(asked.image.bytes)) return 'contradictory'
  const match = matchIn(verifyResult)
  if (match === 'unreadable') return match
  const isLive = decision === 'realface'
  const matchScore = match?.score ?? null
  if (!isLive) return { verdict: 'not-live', livenessScore: null, matchScore }
  if (match === null) return { verdict: 'not-compared', livenessScore: null, matchScore }
  const isSame = match.isIdentical && match.score >= asked.matchMin
  return { verdict: isSame ? 'passed' : 'another-person', livenessScore: null, matchScore }
}

type Match = { readonly score: number; readonly isIdentical: boolean }

/** Null where the vendor compared nothing. */
function matchIn(verifyResult: unknown): Match | null | 'unreadable' {
  if (verifyResult === undefined || verifyResult === null) return null
  if (!isJson(verifyResult)) return 'unreadable'
  const { matchConfidence, isIdentical } = verifyResult
  const isShare = typeof matchConfidence === 'number' && matchConfidence >= 0 && matchConfidence <= 1
  if (!isShare || typeof isIdentical !== 'boolean') return 'unreadable'
  // Without what the multiplication leaves behind the last digit.
  return { score: Number((matchConfidence * 100).toPrecision(12)), isIdentical }
}

const fingerprintOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
