import { networkInterfaces } from 'node:os'
import type { Network } from '../core/ports.ts'

const BYTES_MAX = 8 * 1024 * 1024

export const nodeNetwork: Network = {
  async ask(url, { method, headers, body, timeoutMs }) {
    const answer = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return {
      status: answer.status,
      url: answer.url,
      retryAfter: answer.headers.get('retry-after'),
      body: await bodyOf(answer),
    }
  },

  isOnline: async () =>
    Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ internal }) => !internal)),
}

const bodyOf = async ({ body }: Response): Promise<Uint8Array> => {
  if (body === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > BYTES_MAX) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
