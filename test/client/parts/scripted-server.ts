import { createServer, type IncomingHttpHeaders } from 'node:http'

type Scripted = {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** Says nothing at all. */
  readonly silent?: boolean
}

/** Answers that the real service gives only in trouble, one after the other; the last one for ever. */
export const startScripted = async (answers: readonly Scripted[]) => {
  const seen: { readonly url: string; readonly headers: IncomingHttpHeaders; readonly atMs: number }[] = []
  const server = createServer((request, response) => {
    const answer = answers[Math.min(seen.length, answers.length - 1)]
    seen.push({ url: request.url ?? '', headers: request.headers, atMs: performance.now() })
    if (answer === undefined || answer.silent === true) return
    response.writeHead(answer.status, { 'Content-Type': 'application/json', ...answer.headers })
    response.end(answer.body ?? JSON.stringify({ error: 'unavailable', reason: 'Not now.' }))
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
