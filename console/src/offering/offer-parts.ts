import type { OfferLine } from './offer-lines.ts'

/** What the service takes in one request. */
const OFFERS_MAX = 1_000
const BYTES_MAX = 2 * 1024 * 1024

const FRAME_BYTES = '{"items":[]}'.length
/** Each offer gets its key, the HMAC of `line-key.ts`, and a comma. */
export const KEY_LENGTH = 43
const KEY_BYTES = '"idempotencyKey":"",'.length + KEY_LENGTH + ','.length

/** The offers in their order, as many in each request as it may have. */
export function* partsOf(offers: readonly OfferLine[]): Generator<readonly OfferLine[]> {
  let part: OfferLine[] = []
  let bytes = FRAME_BYTES
  for (const each of offers) {
    const more = each.bytes + KEY_BYTES
    if (part.length === OFFERS_MAX || (part.length > 0 && bytes + more > BYTES_MAX)) {
      yield part
      part = []
      bytes = FRAME_BYTES
    }
    part.push(each)
    bytes += more
  }
  if (part.length > 0) yield part
}
