// Callers with the largest bodies that a route takes, at fixed times, whether or not those before are answered.
import { connect, type Socket } from 'node:net'

export type LargeBodies = {
  readonly port: number
  readonly kind: BodyKind
  /** They take turns, so that none comes above its rate. */
  readonly keys: readonly string[]
  readonly connectionId: string
  readonly perS: number
  readonly durationMs: number
}

export type BodyKind = 'image' | 'escapes' | 'keys' | 'envelope'

const [BODY_BYTES, ENVELOPE_BYTES, IMAGE_CHARACTERS] = [8_388_608, 2_097_152, 7_000_000]

/** Thousands of properties of an object, of so many bytes. */
const properties = (bytes: number): string => {
  const parts: string[] = []
  for (let left = bytes; left > 20; ) {
    const part = `"a${parts.length}":""`
    left -= part.length + 1
    parts.push(part)
  }
  return `{${parts.join(',')}}`
}

const offer = (connectionId: string, attributes: string, image: string): string =>
  `{"connectionId":"${connectionId}","credentialDefinitionId":"def_c20a4b6d8f1e3c5a7b9d0f2e4c","attributes":${attributes},` +
  `"biometric":{"referenceImage":"${image}"}}`

const REST_BYTES = offer('', '{}', '').length + 200

const bodies: Readonly<Record<BodyKind, (connectionId: string) => string>> = {
  image: (id) => offer(id, '{}', 'x'.repeat(IMAGE_CHARACTERS)),
  // No text is slower to pass over than one that is full of quotes.
  escapes: (id) => offer(id, '{}', '\\"'.repeat((BODY_BYTES - REST_BYTES) / 2)),
  keys: (id) => offer(id, properties(BODY_BYTES - REST_BYTES), 'x'.repeat(100)),
  envelope: () => properties(ENVELOPE_BYTES),
}

const open = new Set<Socket>()
const statuses = new Map<string, number>()
let sent = 0

export function start({ port, kind, keys, connectionId, perS, durationMs }: LargeBodies): void {
  const body = Buffer.from(bodies[kind](connectionId))
  const head =
    kind === 'envelope'
      ? () => `POST /didcomm/${connectionId} HTTP/1.1\r\nContent-Type: application/didcomm-envelope-enc\r\n`
      : () =>
          'POST /v1/credentials/offer HTTP/1.1\r\nContent-Type: application/json\r\n' +
          `Authorization: Bearer ${keys[sent % keys.length]}\r\nIdempotency-Key: ${kind}-${sent}\r\n`
  statuses.clear()
  sent = 0
  const sending = setInterval(() => {
    sent += 1
    send(port, `${head()}Host: 127.0.0.1\r\nContent-Length: ${body.byteLength}\r\n\r\n`, body)
  }, 1_000 / perS)
  setTimeout(() => clearInterval(sending), durationMs)
}

/** What has been answered by now; the rest is given up. */
export function stop(): { readonly sent: number; readonly statuses: Readonly<Record<string, number>> } {
  for (const socket of open) socket.destroy()
  return { sent, statuses: Object.fromEntries(statuses) }
}

const send = (port: number, head: string, body: Buffer): void => {
  const socket = connect({ host: '127.0.0.1', port })
  open.add(socket)
  socket.on('close', () => open.delete(socket))
  socket.on('error', () => undefined)
  socket.once('data', (answer) => {
    const status = answer.toString('latin1', 9, 12)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    socket.destroy()
  })
  socket.write(head)
  socket.write(body)
}
