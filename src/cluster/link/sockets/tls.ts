import { constants } from 'node:crypto'

/**
 * TLS 1.3 whose two ends know the secret beforehand: there is no certificate to issue, to check or to let run out, a
 * stranger is turned away by its first message and before anything costly, and what was recorded stays closed when the
 * secret becomes known later, because the keys are exchanged anew each time. Keys of this kind go with SHA-256.
 */
export const TLS = {
  minVersion: 'TLSv1.3',
  maxVersion: 'TLSv1.3',
  ciphers: 'TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256',
  // A ticket would let someone in later who knows no secret any more.
  secureOptions: constants.SSL_OP_NO_TICKET,
} as const
