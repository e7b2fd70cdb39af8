import { request as requestInClear } from 'node:http'
import { request as requestOverTls } from 'node:https'
import type { Answer, Asked, Headers, Json } from './place.ts'

/** Sends a request as it is, doubled headers and broken bodies too; of an answer that does not end it takes the beginning. */
export const sendTo = (
  url: string,
  method: string,
  { target, body }: Asked,
  headers: Headers = {},
  localAddress?: string,
): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { protocol, hostname, port, host } = new URL(url)
    const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
    const all = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(body !== undefined && { 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    }
    const pairs = Object.entries(all).flatMap(([name, value]) =>
      [value].flat().flatMap((each) => [name, each]),
    )
    const options = {
      host: hostname,
      port,
      method,
      path: target,
      headers: ['host', host, ...pairs],
      family: 4,
      ...(localAddress !== undefined && { localAddress }),
    }
    const request = protocol === 'https:' ? requestOverTls : requestInClear
    const sent = request(options, (response) => {
      const chunks: Buffer[] = []
      const done = (): void => {
        const answer = Buffer.concat(chunks).toString()
        const shown = Object.fromEntries(
          Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]),
        )
        resolve({ status: response.statusCode ?? 0, headers: shown, text: answer, json: jsonOf(answer) })
      }
      const isEndless = response.headers['content-type'] === 'text/event-stream'
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        if (!isEndless) return
        done()
        sent.destroy()
      })
      response.on('error', reject)
      response.on('end', done)
    })
    sent.on('error', reject)
    sent.end(text)
  })

/** Opens what does not end, and resolves when its head is there; the answer closes it. */
export const holdAt = (url: string, bearer: string): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const request = url.startsWith('https:') ? requestOverTls : requestInClear
    const sent = request(url, { headers: { authorization: `Bearer ${bearer}` }, family: 4 })
    sent.on('error', reject)
    sent.once('response', (response) => {
      // That it is cut off is what its end looks like.
      response.on('error', () => undefined)
      resolve(() => void sent.destroy())
    })
    sent.end()
  })

const jsonOf = (text: string): Json => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return {}
  }
}
