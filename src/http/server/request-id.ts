import { randomBytes } from 'node:crypto'

/**
 * Unique for each process. A counter makes the rest of an id, which is ten times cheaper than random bits for each
 * request.
 */
const ofProcess = randomBytes(10).toString('hex')
let count = 0

/** Ids are always our own: a caller who could choose one could write into our logs. */
export const newRequestId = (): string => {
  count += 1
  return `req_${ofProcess}${count.toString(16).padStart(8, '0')}`
}
