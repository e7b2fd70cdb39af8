import { type IncomingHttpHeaders, request } from 'node:http'
import type { FrontDoor, Reply, RequestHead, StartServer } from '../../../src/http/server/server.ts'

type Answer = { readonly headers: IncomingHttpHeaders; readonly text: string }

/** What one request is answered by a server that has just been started, and ends after it. */
export const oneAnswer = async (
  start: StartServer,
  { host, target }: { readonly host: string; readonly target: string },
  reply: (head: RequestHead) => Reply,
): Promise<Answer> => {
  const door: FrontDoor = {
    accept: (head) => ({
      bodyBytesMax: 0,
      mayStream: false,
      strangerFrom: '',
      tenant: null,
      isLarge: false,
      turnAway: () => null,
      respond: () => reply(head),
      refuse: () => reply(head),
      aborted: () => undefined,
    }),
  }
  const server = await start({ host, port: 0, tls: null, bodyMemoryBytesMax: 1_000 }, door)
  try {
    return await answerAt(target, server.port)
  } finally {
    server.stopAccepting()
    await server[Symbol.asyncDispose]()
  }
}

const answerAt = (host: string, port: number): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request({ host, port, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ headers: response.headers, text }))
    })
    sent.on('error', reject)
    sent.end()
  })
