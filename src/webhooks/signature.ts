import { createHmac } from 'node:crypto'

export const SIGNATURE_HEADER = 'X-svc-Signature'

/** `t=<unix seconds>,v1=<hex>[,v1=<hex>]`, one v1 for each secret in their order. */
export const signatureOf = (body: string, secrets: readonly string[], nowMs: number): string => {
  const seconds = Math.floor(nowMs / 1_000)
  const signatures = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`,
  )
  return [`t=${seconds}`, ...signatures].join(',')
}
