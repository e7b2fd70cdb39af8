import { Agent, type ClientRequest, type IncomingMessage, request } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'

type Answered = { readonly status: number; readonly text: string }

/** Idle sockets are closed before a server would close them, in the middle of the next request. */
const kept = { keepAlive: true, maxSockets: 64, maxFreeSockets: 64, timeout: 4_000 }
const agent = new Agent(kept)
const tlsAgent = new TlsAgent(kept)
const ATTEMPTS = 3

/** A POST over a kept connection; one that the server had closed meanwhile is made again, as clients do. */
export const postJson = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Answered> => {
  for (let attempt = 1; ; attempt += 1) {
    const sent = { method: 'POST', headers: { ...headers, 'Content-Length': Buffer.byteLength(body) } }
    const outgoing = url.startsWith('https:')
      ? tlsRequest(url, { ...sent, agent: tlsAgent })
      : request(url, { ...sent, agent })
    try {
      return await answerTo(outgoing, body)
    } catch (error) {
      if (!outgoing.reusedSocket || attempt === ATTEMPTS) throw error
    }
  }
}

const answerTo = (outgoing: ClientRequest, body: string): Promise<Answered> =>
  new Promise((resolve, reject) => {
    outgoing.on('error', reject)
    outgoing.on('response', (answer: IncomingMessage) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    outgoing.end(body)
  })
