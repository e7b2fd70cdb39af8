import { randomBytes } from 'node:crypto'

/** Unique per process; the number makes the rest, which is ten times cheaper than new random bits for every request. */
const ofProcess = randomBytes(10).toString('hex')
let count = 0

/** Always our own: an id that a caller could choose would let it write into our logs. */
export const newRequestId = (): string => {
  count += 1
  return `req_${ofProcess}${count.toString(16).padStart(8, '0')}`
}
