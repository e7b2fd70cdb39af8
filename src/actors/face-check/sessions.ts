import { createHash } from 'node:crypto'
import { isRefused } from '../../domain/decider.ts'
import type { EffectContext } from '../../host/definition.ts'
import { RecipientBusy } from '../../host/effects/not-begun.ts'
import { isoTime } from '../../http/route/fields.ts'
import type { Begun, DeviceSession } from '../../ports/face-vendor.ts'
import { writeToHolder } from '../connection/for-exchanges.ts'
import { recordUnfit } from './exchange.ts'
import { sessionMessage } from './messages.ts'
import { faceCheck, READING_MS, TOLD_AGAIN_AFTER_MS } from './rules.ts'
import type { FaceCheckCommand, FaceCheckRecord, LeftSession, Session } from './state.ts'
import type { VendorDesk } from './vendor-desk.ts'

/** A session that may have begun at the first try, and is older than that, leaves its holder too little time. */
const YOUNG_MS = 60_000

/**
 * Begins a session. Its id is committed before the wallet hears of it, because what a wallet does in a session that
 * nobody reads would be an attempt that nobody counts.
 */
export const beginSession = async (
  desk: VendorDesk,
  check: FaceCheckRecord,
  context: EffectContext,
): Promise<FaceCheckCommand> => {
  const { actor, signal } = context
  const { actors, runtime } = desk.ports
  const { number, sinceMs } = sessionIn(check)
  const nowMs = runtime.now()
  const seconds = secondsFor(check, nowMs)
  if (seconds === null || nowMs > sinceMs + YOUNG_MS) return { type: 'RenumberSession', atMs: nowMs, number }
  const image = await desk.imageOf(actor, check)
  const deviceCorrelationId = await correlationId(desk, check)
  const wanted = { checkId: actor, number, seconds, image, deviceCorrelationId }
  const begun = await desk.ask(`${actor} begin`, check, async (vendor, account) => {
    const answer = await vendor.begin(account, wanted, signal)
    return isReplayed(check, answer) ? CONTRADICTORY : answer
  })
  if (begun.kind === 'lost') return { type: 'RenumberSession', atMs: runtime.now(), number }
  if (begun.kind === 'image-unfit') return recordUnfit(desk.ports, actor, check, { number, unfit: begun })
  const { sessionId, device } = begun
  const atMs = runtime.now()
  const command = { type: 'RecordSessionBegun', atMs, number, sessionId, seconds } as const
  const options = { commandId: `begun:${actor}:${number}:${sessionId}`, tenant: check.tenant }
  const now = await actors.ask(faceCheck.ref(actor), command, options)
  const isWaitedFor = !isRefused(now) && now.session?.begun?.sessionId === sessionId
  if (isWaitedFor) await tell(desk, check, context, { number, device })
  return command
}

/** A vendor that gives a session out again as another one, of which the results would count again. */
const isReplayed = ({ sessionIds }: FaceCheckRecord, answer: Begun): boolean =>
  answer.kind === 'begun' && sessionIds.includes(answer.sessionId)

const CONTRADICTORY = { kind: 'away', why: 'contradictory', retryAfterMs: null } as const

/** For a wallet that has lost it: the same session, with fresh credentials where the vendor lends some. */
export const tellSession = async (
  desk: VendorDesk,
  check: FaceCheckRecord,
  context: EffectContext,
): Promise<FaceCheckCommand> => {
  const { actor, signal } = context
  const { number, begun, toldAtMs } = sessionIn(check)
  const earlyMs = toldAtMs + TOLD_AGAIN_AFTER_MS - desk.ports.runtime.now()
  if (earlyMs > 0) throw new RecipientBusy(earlyMs)
  const again = await desk.ask(`${actor} tell`, check, (vendor, account) =>
    vendor.rejoin(account, begun?.sessionId ?? '', signal),
  )
  const atMs = desk.ports.runtime.now()
  if (again.kind !== 'begun') return { type: 'RecordSessionLapsed', atMs, number }
  await tell(desk, check, context, { number, device: again.device })
  return { type: 'RecordSessionTold', atMs, number }
}

export const endSession = async (
  desk: VendorDesk,
  check: FaceCheckRecord,
  { sessionId }: LeftSession,
  { actor, signal }: EffectContext,
): Promise<FaceCheckCommand> => {
  await desk.ask(`${actor} end ${sessionId}`, check, (vendor, account) =>
    vendor.end(account, sessionId, signal),
  )
  return { type: 'RecordSessionGone', atMs: desk.ports.runtime.now(), sessionId }
}

export const sessionIn = ({ session }: Pick<FaceCheckRecord, 'session'>): Session => {
  if (session === null) throw new Error('the check has no session')
  return session
}

/** As long as the vendor allows, and no longer than that it can be read before the check is over. */
const secondsFor = ({ expiresAtMs, sessionSeconds }: FaceCheckRecord, nowMs: number): number | null => {
  const { least, most } = sessionSeconds
  const left = Math.floor((expiresAtMs - READING_MS - nowMs) / 1_000)
  return left < least ? null : Math.min(most, left)
}

/** What has to be told lives for minutes and is written nowhere: a wallet that does not get it asks again. */
const tell = async (
  { ports }: VendorDesk,
  { connectionId, expiresAtMs }: FaceCheckRecord,
  context: EffectContext,
  { number, device }: { readonly number: number; readonly device: DeviceSession },
): Promise<void> => {
  const { actor, signal } = context
  const message = () =>
    sessionMessage({
      checkId: actor,
      tellingId: `session-${number}-${ports.runtime.newId().slice(0, 8)}`,
      session: device,
      expiresAt: isoTime(expiresAtMs),
    })
  try {
    await writeToHolder(ports, connectionId, context, message)
  } catch {
    signal.throwIfAborted()
  }
}

/** Stands for the wallet at this organisation's vendor: nobody can tell the wallet from it, nor another organisation's. */
const correlationId = async (
  { ports }: VendorDesk,
  { tenant, connectionId }: FaceCheckRecord,
): Promise<string> => {
  const fingerprint = await ports.vault.fingerprint(tenant, `face check ${connectionId}`)
  const hex = createHash('sha256').update(fingerprint).digest('hex')
  // Version 8 is for UUIDs that are made in ways of one's own.
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4] ?? '8'
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
