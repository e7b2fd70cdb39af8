import { openService } from './compose/service.ts'
import type { OpenPart } from './parts.ts'

/** Opened in this order before the service takes requests, stopped in the opposite one after the last answer. */
export const openParts: readonly OpenPart[] = [openService]
