import type { Described } from '../../../src/http/docs/described.ts'
import { apiDocument } from '../../../tools/described-api.ts'

/** The real description, as the pages get it. */
export const shownDocument = JSON.parse(JSON.stringify(apiDocument())) as Described
