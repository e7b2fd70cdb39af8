import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type Asked = { readonly path: string; readonly headers: IncomingHttpHeaders }
export type Answer = (response: ServerResponse, asked: Asked) => void

/** What answers as the service does, or as the test says: one answer for each request, the last of them for all that follow. */
export const toldStream = async (...answers: readonly Answer[]) => {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const one = { path: request.url ?? '', headers: request.headers }
    asked.push(one)
    answers[Math.min(asked.length, answers.length) - 1]?.(response, one)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, access: { url, key: 'svc_sk_test' } }
}

/** The beginning of a stream. */
export const begun = (response: ServerResponse, ...frames: readonly string[]): ServerResponse => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(`retry: 20\n: events follow as they happen\n\n${frames.join('')}`)
  return response
}

export const bodyOf = (id: string, type = 'connection.state_changed', data: object = { id: 'con_1' }) =>
  JSON.stringify({ id, type, createdAt: '2026-01-31T12:00:00.000Z', tenantId: 'ten_1', data })

export const frame = (id: string, type?: string, data?: object): string =>
  `id: ${id}\nevent: ${type ?? 'connection.state_changed'}\ndata: ${bodyOf(id, type, data)}\n\n`

export const madeUp = (id: string): string => frame(id).slice(`id: ${id}\n`.length)

export const refusal =
  (status: number, reason: string, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: 'x', reason }))
  }

/** Data of an event of 100 KB. */
export const LARGE = { id: 'con_1', text: 'x'.repeat(100_000) }

export const FRAMES_MAX = 1_000

/** So many frames; `untilUnread` resolves with how many are on the way when nobody reads on. */
export const muchTold = (frameAt: (at: number) => string) => {
  let written = 0
  const answer: Answer = (response) => {
    begun(response)
    const more = (): void => {
      while (written < FRAMES_MAX) {
        const isRoom = response.write(frameAt(written))
        written += 1
        if (!isRoom) return void response.once('drain', more)
      }
    }
    more()
  }
  const soon = async (): Promise<number> => {
    await new Promise((resolve) => setTimeout(resolve, 100))
    return written
  }
  const untilUnread = async (): Promise<number> => {
    let before = -1
    for (let now = await soon(); now !== before; now = await soon()) before = now
    return before
  }
  return { answer, untilUnread }
}
