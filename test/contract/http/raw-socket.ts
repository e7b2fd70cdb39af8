import { connect as connectTcp, type Socket } from 'node:net'

export type RawResponse = {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** What came over a socket, byte by byte, without a client that would hide the server's mistakes. */
export class RawSocket {
  readonly #socket: Socket
  #received = ''
  #closed = false
  #changed: () => void = () => undefined

  static open(port: number): Promise<RawSocket> {
    return new Promise((resolve, reject) => {
      const socket = connectTcp({ port, host: '127.0.0.1', allowHalfOpen: true })
      socket.once('error', reject)
      socket.once('connect', () => resolve(new RawSocket(socket)))
    })
  }

  constructor(socket: Socket) {
    this.#socket = socket
    socket.setEncoding('latin1')
    socket.on('data', (text: string) => {
      this.#received += text
      this.#changed()
    })
    const close = () => {
      this.#closed = true
      this.#changed()
    }
    socket.removeAllListeners('error')
    socket.on('error', close)
    socket.on('end', close)
    socket.on('close', close)
  }

  send(text: string | Uint8Array): void {
    if (typeof text === 'string') this.#socket.write(text, 'latin1')
    else this.#socket.write(text)
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  /** Takes so much of what has come while it pauses, where there is so much. What it has then read ahead is a few times that. */
  readAtMost(bytes: number): void {
    this.#socket.read(bytes)
  }

  destroy(): void {
    this.#socket.destroy()
  }

  /** The next whole response, or null when the connection ends without one. `bodiless`: the answer to a HEAD. */
  async response(
    options: { readonly bodiless?: boolean; readonly withinMs?: number } = {},
  ): Promise<RawResponse | null> {
    const deadline = performance.now() + (options.withinMs ?? 5_000)
    for (;;) {
      const taken = this.#take(options.bodiless === true)
      if (taken !== null || this.#closed) return taken
      await this.#change(deadline)
    }
  }

  /** Resolves when the server has closed; rejects when it does not. */
  async closed(withinMs = 5_000): Promise<void> {
    const deadline = performance.now() + withinMs
    while (!this.#closed) await this.#change(deadline)
  }

  get unread(): string {
    return this.#received
  }

  #take(bodiless: boolean): RawResponse | null {
    const end = this.#received.indexOf('\r\n\r\n')
    if (end < 0) return null
    const [first = '', ...lines] = this.#received.slice(0, end).split('\r\n')
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
      }),
    )
    const status = Number(first.split(' ')[1])
    const length = bodiless
      ? 0
      : Number(headers.get('content-length') ?? (this.#closed ? this.#received.length - end - 4 : 0))
    if (this.#received.length < end + 4 + length) return null
    const body = Buffer.from(this.#received.slice(end + 4, end + 4 + length), 'latin1').toString()
    this.#received = this.#received.slice(end + 4 + length)
    return { status, headers, body }
  }

  #change(deadline: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error(`nothing more came; so far: ${JSON.stringify(this.#received.slice(0, 200))}`)),
        Math.max(0, deadline - performance.now()),
      )
      this.#changed = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}

export const get = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`

export const post = (path: string, body: string, headers = 'Content-Type: application/json\r\n'): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

/** The code in an error body; fails when the body is anything but `{error, reason}`. */
export const errorOf = (response: RawResponse | null): string => {
  const { error, reason, ...rest } = JSON.parse(response?.body ?? '') as { error: string; reason: string }
  if (typeof error !== 'string' || typeof reason !== 'string' || Object.keys(rest).length > 0) {
    throw new Error(`not an error body: ${response?.body}`)
  }
  return error
}
