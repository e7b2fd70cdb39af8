import { BODY_LIFE_MS } from '../../domain/body-reference.ts'
import type { ReferenceImage } from '../../ports/face-vendor.ts'
import { type BodyPorts, keepBody, openBody } from '../bodies.ts'
import type { KeptImage } from './state.ts'

/** No store has to take a text of seven million characters at once. */
const PIECE_CHARACTERS = 1_048_576
/** A check that could not be ended in time still has its image deleted by then. */
const MARGIN_MS = 3_600_000

type Sent = {
  /** As it came. */
  readonly base64: string
  readonly image: ReferenceImage
  readonly expiresAtMs: number
}

/** Seals the image of a check that is about to begin, and keeps it outside the journal for the time of the check. */
export const keepImage = async (
  ports: BodyPorts,
  checkId: string,
  above: { readonly tenant: string; readonly connectionId: string },
  { base64, image, expiresAtMs }: Sent,
): Promise<KeptImage> => {
  await ports.vault.create(checkId, { tenant: above.tenant, connection: above.connectionId })
  const lifeMs = Math.min(BODY_LIFE_MS, expiresAtMs - ports.runtime.now() + MARGIN_MS)
  const pieces = []
  for (let at = 0; at < base64.length; at += PIECE_CHARACTERS)
    pieces.push(await keepBody(ports, checkId, base64.slice(at, at + PIECE_CHARACTERS), { lifeMs }))
  const { format, width, height } = image
  return { format, width, height, pieces }
}

/** Null when its key is gone, as that of an erased connection is. */
export const openImage = async (
  ports: BodyPorts,
  checkId: string,
  { format, width, height, pieces }: KeptImage,
): Promise<ReferenceImage | null> => {
  let base64 = ''
  for (const piece of pieces) {
    const text = await openBody(ports, checkId, piece)
    if (text === null) return null
    base64 += text
  }
  return { format, bytes: Buffer.from(base64, 'base64'), width, height }
}

/** For a check that did not come to be, or has another image already. What cannot be deleted now goes at the end of its life. */
export const dropImage = async (
  { bodies }: Pick<BodyPorts, 'bodies'>,
  checkId: string,
  { pieces }: KeptImage,
): Promise<void> => {
  await Promise.allSettled(pieces.map(({ id }) => bodies.delete(checkId, id)))
}
