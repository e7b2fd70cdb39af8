import { randomUUID } from 'node:crypto'

/** Always our own: an id that a caller could choose would let it write into our logs. */
export const newRequestId = (): string => `req_${randomUUID().replaceAll('-', '')}`
