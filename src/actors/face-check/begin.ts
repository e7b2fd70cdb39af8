import { referenceImageOf } from '../../biometric/reference-image.ts'
import { isRefused, type KindTypes, refuse, type Refused } from '../../domain/decider.ts'
import { type FaceCheck, type FaceChecked, isFacePending } from '../../domain/face-check.ts'
import type { Ref } from '../../domain/references.ts'
import { type Addressed, addressed, AskFailed } from '../../ports/actors.ts'
import { KeyGone } from '../../ports/vault.ts'
import type { BiometricPolicy } from '../biometric-policy/rules.ts'
import { createExchangeWith } from '../connection/for-exchanges.ts'
import { connection, noSuchConnection } from '../connection/rules.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { readExchange } from './exchange.ts'
import type { ImageRoom } from './image-room.ts'
import { dropImage, keepImage } from './images.ts'
import { type FaceCheckTypes, faceCheck } from './rules.ts'
import type { CheckFacts, FaceCheckRecord, KeptImage } from './state.ts'

/** What an exchange needs to begin with a face check. */
export type FaceCheckPorts = Pick<
  ApiPorts,
  'actors' | 'runtime' | 'vault' | 'bodies' | 'faceVendors' | 'imageRoom'
>

/** Base64, or what reads it out of a request; null where none was sent. */
export type SentImage = string | (() => string) | null

type Wanted = {
  readonly tenant: string
  readonly connectionId: string
  readonly exchangeId: string
  readonly atMs: number
  readonly policy: BiometricPolicy
  readonly referenceImage: SentImage
}

/** A check that begins in one batch with its exchange, with all that is to be said of it there. */
type CheckToBegin = {
  readonly id: string
  readonly face: FaceChecked
  readonly command: Addressed<FaceCheckTypes>
  /** To be called with the check as it is then; null: neither it nor the exchange came to be. */
  readonly settled: (check: FaceCheckRecord | null) => Promise<void>
}

const referenceRequired = refuse(
  'biometric_reference_required',
  'biometric.referenceImage is required: a face check comes first.',
)
export const vendorMissing = refuse(
  'biometric_vendor_missing',
  'A face check comes first, and no vendor of face checks is set.',
)
const notReady = refuse('connection_not_ready', 'The connection is not ready.')
const begunBefore = refuse('exchange_over', 'The check has been.')

/** An exchange has one check at most, on its own shard, and a repeated request finds the same. */
const checkOf = (exchangeId: string) =>
  faceCheck.ref(`${faceCheck.prefix}${exchangeId.slice(exchangeId.indexOf('_'))}`)

type Checked<Of extends KindTypes> = {
  readonly policy: BiometricPolicy
  readonly exchange: Ref<Of>
  readonly command: NoInfer<Of>['command'] & { readonly atMs: number }
}

/** Creates an exchange in one batch with its face check; the exchange is told in its command what it begins with. */
export const createChecked = async <Of extends KindTypes>(
  ports: FaceCheckPorts,
  order: Pick<Wanted, 'tenant' | 'connectionId'> & { readonly referenceImage?: SentImage },
  { policy, exchange, command }: Checked<Of>,
): Promise<Of['reply'] | Refused> => {
  const { tenant, connectionId, referenceImage = null } = order
  const { atMs } = command
  const wanted = { tenant, connectionId, exchangeId: exchange, atMs, policy, referenceImage }
  const check = await faceCheckFor(ports, wanted)
  if (isRefused(check)) return check === begunBefore ? begunAlready(ports, exchange) : check
  const both: Of['command'] = { ...(command as object), ...check.face }
  const made = await createExchangeWith(ports, order, addressed<Of>(exchange, both), check.command)
  if (!isRefused(made)) {
    await check.settled(made[1])
    return made[0]
  }
  await check.settled(null)
  return made.refused === 'exchange_over' ? begunAlready(ports, exchange) : made
}

/** A request that comes again, long after the check that the first one began: it has its answer already. */
const begunAlready = async <Of extends KindTypes>(
  { actors }: Pick<FaceCheckPorts, 'actors'>,
  exchange: Ref<Of>,
): Promise<Of['reply'] | Refused> => {
  const found: unknown = await actors.read<Of>(exchange)
  return isRefused(found) ? notReady : found
}

/** Looks at the image and keeps it: what is not whole is refused before anything is made. */
const faceCheckFor = async (ports: FaceCheckPorts, wanted: Wanted): Promise<CheckToBegin | Refused> => {
  const { tenant, connectionId, exchangeId, atMs, policy, referenceImage: sent } = wanted
  const { vendor } = policy
  if (vendor === 'none') return vendorMissing
  const found = ports.faceVendors[vendor]
  // As where a sandbox was set, and the service has another ledger since.
  if (found === undefined) throw new AskFailed('unavailable', `${vendor} is not there any more.`, 60_000)
  if (sent === null) return referenceRequired
  const base64 = typeof sent === 'string' ? sent : sent()
  const image = referenceImageOf(base64)
  if (isRefused(image)) return image
  const holder = await readyConnection(ports, tenant, connectionId)
  if (isRefused(holder)) return holder
  const id = checkOf(exchangeId)
  const expiresAtMs = Math.floor(atMs) + policy.windowMinutes * 60_000
  const place = await placeFor(ports, {
    checkId: id,
    exchangeId,
    tenant,
    bytes: base64.length,
    untilMs: expiresAtMs,
  })
  if (place === null)
    throw new AskFailed('overloaded', 'Too many face checks with images are under way.', 30_000)
  let kept: KeptImage | null = null
  try {
    kept = await keepImage(ports, id, { tenant, connectionId }, { base64, image, expiresAtMs })
  } catch (error) {
    // The key of a check goes with it, and that of its connection takes it along.
    if (error instanceof KeyGone) return begunBefore
    throw error
  } finally {
    if (kept === null) place.leave()
  }
  const { livenessMin, matchMin, attemptsMax, settings, sealedCredentials } = policy
  const facts: CheckFacts = {
    tenant,
    connectionId,
    exchangeId,
    vendor,
    account: { settings, sealedCredentials },
    image: kept,
    livenessMin: livenessMin ?? 0,
    matchMin,
    attemptsMax,
    expiresAtMs,
    sessionSeconds: { ...found.sessionSeconds },
  }
  return {
    id,
    face: { faceCheck: beginning(id, facts) },
    command: addressed(id, { type: 'BeginFaceCheck', atMs: Math.floor(atMs), ...facts }),
    settled: async (check) => {
      const [first] = kept.pieces
      // A repeated command is answered from what there is by then: a check that is over may be gone.
      const isThere = check !== null && 'image' in check
      if (isThere && check.image.pieces.some((piece) => piece.id === first?.id)) return
      if (!isThere || check.status !== 'pending') place.leave()
      await dropImage(ports, id, kept)
    },
  }
}

/** Looks at those that have a place before it says that there is none. */
const placeFor = async (
  { imageRoom, actors }: Pick<FaceCheckPorts, 'imageRoom' | 'actors'>,
  wanted: Parameters<ImageRoom['take']>[0],
): Promise<ReturnType<ImageRoom['take']>> => {
  const place = imageRoom.take(wanted)
  if (place !== null) return place
  await imageRoom.look(async (exchangeId) => {
    const found = await readExchange({ actors }, exchangeId)
    return !isRefused(found) && !isFacePending(found)
  })
  return imageRoom.take(wanted)
}

const beginning = (id: string, { vendor, attemptsMax, expiresAtMs }: CheckFacts): FaceCheck => ({
  id,
  vendor,
  status: 'pending',
  attempts: 0,
  attemptsRemaining: attemptsMax,
  attemptsMax,
  expiresAtMs,
  decidedAtMs: null,
})

/** The key of an image hangs below that of its connection, so that is looked at first. */
const readyConnection = async (
  { actors }: Pick<FaceCheckPorts, 'actors'>,
  tenant: string,
  connectionId: string,
): Promise<Refused | null> => {
  const ref = connection.find(connectionId)
  const found = ref === null ? noSuchConnection : await actors.read(ref)
  if (isRefused(found) || found.tenant !== tenant) return noSuchConnection
  return found.status === 'completed' ? null : notReady
}
