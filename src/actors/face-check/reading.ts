import type { EffectContext } from '../../host/definition.ts'
import { recordJudgement, recordUnfit } from './exchange.ts'
import { judged } from './judgement.ts'
import { sessionIn } from './sessions.ts'
import type { FaceCheckCommand, FaceCheckRecord } from './state.ts'
import type { VendorDesk } from './vendor-desk.ts'

/**
 * Reads what came of a session, again and again until it is known or nothing can come of it any more. What the vendor
 * has lost costs no attempt.
 */
export const readSession = async (
  desk: VendorDesk,
  check: FaceCheckRecord,
  { actor, signal }: EffectContext,
): Promise<FaceCheckCommand> => {
  const { runtime } = desk.ports
  const { number, begun } = sessionIn(check)
  if (begun === null) throw new Error('the session has not begun')
  const { sessionId, deadAtMs } = begun
  const { livenessMin, matchMin } = check
  const image = await desk.imageOf(actor, check)
  const asked = { sessionId, lapsesAtMs: deadAtMs, image, livenessMin, matchMin }
  const what = `${actor} read ${number}`
  const leftMs = deadAtMs - runtime.now()
  const reading = await desk.ask(
    what,
    check,
    (vendor, account) => vendor.read(account, asked, signal),
    leftMs,
  )
  switch (reading.kind) {
    case 'results':
      return recordJudgement(desk.ports, actor, check, { number, ...judged(check, reading.attempts) })
    case 'image-unfit':
      return recordUnfit(desk.ports, actor, check, { number, unfit: reading })
    case 'not-yet':
      throw desk.notYet(what, leftMs)
    default:
      return { type: 'RecordSessionLapsed', atMs: runtime.now(), number }
  }
}
