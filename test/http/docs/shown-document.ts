import { apiDocument } from '../../../tools/described-api.ts'

/** The real description, as the pages get it. */
export const shownDocument = apiDocument()
