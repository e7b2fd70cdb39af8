import type { WebhookEvent } from './generated/api.ts'

export type WebhookOptions = {
  /** The header X-svc-Signature. */
  readonly signature: string | null | undefined
  /** The body as it came, before anything has parsed it. */
  readonly body: string | Uint8Array
  /** svc_whsec_…; all that may be in force while a secret is exchanged. */
  readonly secret: string | readonly string[]
  /** How far the time of the signature may be from now. */
  readonly toleranceSeconds?: number
  readonly now?: () => number
}

/** What was posted does not come from the service, or comes too late. */
export class WebhookRejected extends Error {
  override readonly name = 'WebhookRejected'
  readonly because: 'malformed' | 'too_old' | 'wrong_signature'

  constructor(because: WebhookRejected['because'], reason: string) {
    super(reason)
    this.because = because
  }
}

const TOLERANCE_SECONDS = 300
const CANDIDATES_MAX = 16

/** The event, when the body was signed with the secret and lately; throws WebhookRejected otherwise. */
export const readWebhook = async (options: WebhookOptions): Promise<WebhookEvent> => {
  const { body, secret, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now } = options
  const { time, candidates } = partsOf(options.signature ?? '')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concatenated(new TextEncoder().encode(`${time}.`), bytes)
  const secrets = typeof secret === 'string' ? [secret] : secret
  const checks = secrets.flatMap((each) => candidates.map((candidate) => fits(each, candidate, signed)))
  // All of them, whichever fits, so that the time taken tells nothing.
  if (!(await Promise.all(checks)).includes(true))
    throw new WebhookRejected('wrong_signature', 'no signature of the header fits the body and the secret')
  if (Math.abs(now() / 1_000 - Number(time)) > toleranceSeconds)
    throw new WebhookRejected('too_old', `the signature is more than ${toleranceSeconds} s away from now`)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as WebhookEvent
  } catch {
    throw new WebhookRejected('malformed', 'the body is not JSON')
  }
}

const partsOf = (header: string) => {
  const parts = header.split(',').map((part) => part.trim())
  const [time] = parts.flatMap((part) => /^t=(\d{1,12})$/.exec(part)?.[1] ?? [])
  const candidates = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/i.exec(part)?.[1] ?? [])
  if (time === undefined || candidates.length === 0 || candidates.length > CANDIDATES_MAX)
    throw new WebhookRejected('malformed', 'X-svc-Signature must be t=<seconds>,v1=<hex>[,v1=<hex>]')
  return { time, candidates }
}

/** WebCrypto compares in constant time. */
const fits = async (secret: string, candidate: string, signed: Uint8Array<ArrayBuffer>): Promise<boolean> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const raw = new TextEncoder().encode(secret)
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, bytesOf(candidate), signed)
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

const concatenated = (first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(first.byteLength + second.byteLength)
  whole.set(first)
  whole.set(second, first.byteLength)
  return whole
}
