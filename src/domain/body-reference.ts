import { HOLDER_WAIT_MS } from './exchange.ts'
import { limits } from './limits.ts'

/** How events and states name a text that is kept beside the journal: the hash is that of the sealed text. */
export type BodyReference = { readonly id: string; readonly hash: string }

/**
 * Longer than any exchange can need one: a credential may wait 24 hours for its delivery and 24 more for its ack,
 * and an organisation that is to be deleted rests for a week and may be restored. What is deleted in time never comes to it; it ends bodies whose event never came.
 */
export const BODY_LIFE_MS = 3 * HOLDER_WAIT_MS + limits.organisationDeletionDays * 86_400_000
