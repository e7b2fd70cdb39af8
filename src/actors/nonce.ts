import { randomBytes } from 'node:crypto'

const NONCE_BYTES = 10

/** AnonCreds has nonces of 80 bits as decimal text. */
export const newNonce = (): string => BigInt(`0x${randomBytes(NONCE_BYTES).toString('hex')}`).toString()
