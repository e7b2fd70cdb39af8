import { Type } from 'typebox'
import { limits } from '../../domain/limits.ts'
import { exact } from '../../http/route/fields.ts'
import { ATTRIBUTES, offerFields } from '../credential/offer-body.ts'

/** Items that are offered together. */
export type SentWave = {
  /** Their places in the request. */
  readonly indexes: readonly number[]
  readonly items: readonly SentItem[]
}

/** The key of an item, its connection, and the body that an offer of it by itself would have, in canonical JSON. */
export type SentItem = readonly [key: string, connectionId: string, offer: string]

/** What an item says beside its key. */
export type SentOffer = {
  readonly connectionId: string
  readonly credentialDefinitionId: string
  readonly attributes: Readonly<Record<string, string>>
  readonly externalId?: string
}

/** A request for many offers, as it is worked with. */
export type SentOffers = {
  readonly total: number
  /** Those of all items in their order, as JSON. */
  readonly keys: string
  readonly waves: readonly SentWave[]
}

/** As a key in a header: printable, and not blank at its ends. */
const KEY_PATTERN = '^[\\x21-\\x7e](?:[\\x20-\\x7e]*[\\x21-\\x7e])?$'

const item = exact({
  idempotencyKey: Type.String({
    minLength: 1,
    maxLength: limits.idempotencyKeyCharactersMax,
    pattern: KEY_PATTERN,
    description:
      'Your name for this offer: it is made once, however often it is sent under this key, here or by itself. No two items of a request have the same.',
    examples: ['order-1042'],
  }),
  // What is wrong with them is said of the item, not of the request.
  ...offerFields(Type.Record(Type.String(), Type.String(), ATTRIBUTES)),
})

export const offersBody = exact({
  items: Type.Array(item, {
    minItems: 1,
    maxItems: limits.offerItemsMax,
    description: `At most ${limits.offerItemsMax.toLocaleString('en')} offers, each as it would be by itself, without a reference image.`,
  }),
})
