import { isRefused, type Refused } from '../../domain/decider.ts'
import type { RecordFaceCheck } from '../../domain/face-check.ts'
import { kindOf } from '../../domain/references.ts'
import { addressed } from '../../ports/actors.ts'
import type { ImageUnfit } from '../../ports/face-vendor.ts'
import { credential } from '../credential/rules.ts'
import type { KindPorts } from '../kind-ports.ts'
import { proof } from '../proof/rules.ts'
import { type Judgement, unfit } from './judgement.ts'
import { faceCheck } from './rules.ts'
import type { FaceCheckCommand, FaceCheckRecord } from './state.ts'

type Ports = Pick<KindPorts, 'actors' | 'runtime'>
type Numbered = { readonly number: number }

/**
 * Counts attempts at the check and shows them on its exchange, both or neither. Scores and reasons go to the exchange
 * alone: it is what is erased.
 */
export const recordJudgement = async (
  { actors, runtime }: Ports,
  checkId: string,
  check: FaceCheckRecord,
  { number, counted, result }: Numbered & Judgement,
): Promise<FaceCheckCommand> => {
  const { tenant, exchangeId } = check
  const atMs = runtime.now()
  const attempts = { type: 'RecordAttempts', atMs, number, ...counted } as const
  const counting = addressed(faceCheck.ref(checkId), attempts)
  const shown: RecordFaceCheck = { type: 'RecordFaceCheck', atMs, checkId, ...counted, result }
  const options = { commandId: `attempts:${checkId}:${number}`, tenant }
  const answer: readonly unknown[] | Refused =
    kindOf(exchangeId) === credential.prefix
      ? await actors.askAtomically([counting, addressed(credential.ref(exchangeId), shown)], options)
      : await actors.askAtomically([counting, addressed(proof.ref(exchangeId), shown)], options)
  if (!isRefused(answer)) return attempts
  // Either the check or its exchange has moved on: what was found has come too late to count.
  const isOver = await isExchangeOver({ actors }, exchangeId)
  return isOver ? { type: 'EndFaceCheck', atMs } : { type: 'RecordSessionLapsed', atMs, number }
}

export const recordUnfit = (
  ports: Ports,
  checkId: string,
  check: FaceCheckRecord,
  { number, unfit: found }: Numbered & { readonly unfit: ImageUnfit },
): Promise<FaceCheckCommand> => recordJudgement(ports, checkId, check, { number, ...unfit(check, found) })

/** The wallet has given the check up, and with it its exchange. */
export const abandonExchange = async (
  { actors, runtime }: Ports,
  { tenant, exchangeId }: FaceCheckRecord,
): Promise<void> => {
  const command = { type: 'AbandonForFaceCheck', atMs: runtime.now() } as const
  const options = { commandId: `abandon:${exchangeId}`, tenant }
  if (kindOf(exchangeId) === credential.prefix) await actors.ask(credential.ref(exchangeId), command, options)
  else await actors.ask(proof.ref(exchangeId), command, options)
}

const isExchangeOver = async (ports: Pick<Ports, 'actors'>, exchangeId: string): Promise<boolean> => {
  const found = await readExchange(ports, exchangeId)
  return isRefused(found) || 'lastWord' in found
}

export const readExchange = async ({ actors }: Pick<Ports, 'actors'>, exchangeId: string) =>
  kindOf(exchangeId) === credential.prefix
    ? actors.read(credential.ref(exchangeId))
    : actors.read(proof.ref(exchangeId))
