import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { Environment } from '../config/config.ts'
import type { Answer } from './service-call.ts'

/** What an organisation's own program has: the address of the service, and an API key. */
export type ApiAccess = { readonly url: string; readonly key: string }
export type AccessOptions = { readonly url?: string; readonly keyFile?: string }

const HERE = 'http://127.0.0.1:8080'
const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]'])
const KEY = /^svc_sk_[\x21-\x7e]{1,500}$/
const TIMEOUT_MS = 30_000
/** Of an answer, and of what is shown of a text in it; no answer of the service has more. */
const ANSWER_CHARACTERS_MAX = 65_536
const SHOWN_CHARACTERS_MAX = 1_000

/** The options of a command that calls the public API. The key itself is none: options stand in lists of processes. */
export const withApiAccess = (command: Command): Command =>
  command
    .option('--url <url>', `address of the service; BASE_URL without it, or else ${HERE}`)
    .option('--key-file <file>', 'file with the API key; API_KEY of the environment without it')

/** Throws one sentence where something is missing: a key goes out to the right service only, and never in clear. */
export const apiAccess = (environment: Environment, { url, keyFile }: AccessOptions): ApiAccess => ({
  url: serviceAddress(url ?? (environment['BASE_URL'] || HERE)),
  key: apiKey(keyFile === undefined ? (environment['API_KEY'] ?? '') : readFileSync(keyFile, 'utf8')),
})

const serviceAddress = (text: string): string => {
  if (!URL.canParse(text)) throw new Error(`${text} is no address of a service.`)
  const { protocol, hostname, origin, pathname } = new URL(text)
  if (protocol !== 'https:' && !(protocol === 'http:' && THIS_MACHINE.has(hostname)))
    throw new Error(`${text} is neither https nor on this machine: an API key does not travel in clear.`)
  return `${origin}${pathname.replace(/\/+$/, '')}`
}

/** The variable may hold the key of another product, which is nobody's business here. */
const apiKey = (text: string): string => {
  const key = text.trim()
  if (key === '')
    throw new Error(
      'Set API_KEY (export API_KEY=svc_sk_…) to a key of the organisation, or name a --key-file.',
    )
  if (!KEY.test(key)) throw new Error('That is no API key of Vouchsafe: those begin with svc_sk_.')
  return key
}

/** What may be shown of a text that came from elsewhere: a terminal obeys control characters. */
export const plainText = (text: string): string =>
  text.slice(0, SHOWN_CHARACTERS_MAX).replaceAll(/\p{C}/gu, '?')

/** Null for what is no answer of the service, or does not end. */
const answerIn = async ({ body }: Response): Promise<Answer | null> => {
  const decoder = new TextDecoder()
  let text = ''
  try {
    for await (const bytes of body ?? []) {
      text += decoder.decode(bytes as Uint8Array, { stream: true })
      if (text.length > ANSWER_CHARACTERS_MAX) return null
    }
    const answer = JSON.parse(text) as unknown
    return typeof answer === 'object' ? (answer as Answer | null) : null
  } catch {
    return null
  }
}

/** The sentence of an answer that refuses; what is no answer of the service is told by its status. */
export const reasonIn = async (response: Response): Promise<string> => {
  const reason = (await answerIn(response))?.['reason']
  return typeof reason === 'string' ? plainText(reason) : `The service answered ${response.status}.`
}

/** Why an answer can be no other the next time; null where it can. */
export const finalReason = async (response: Response, { url }: ApiAccess): Promise<string | null> => {
  const { status } = response
  if (status === 429 || status >= 500) return null
  if (status === 401) return 'The API key is unknown, or was revoked.'
  if (status === 404 || status === 405)
    return `What answers at ${url} does not know this: it is no Vouchsafe, or one of an older release.`
  if (status >= 300 && status < 400)
    return `${url} leads elsewhere, and a key does not follow: name the address of the service itself.`
  return reasonIn(response)
}

/** Posts to a route for API keys; throws one sentence. */
export const postToApi = async (access: ApiAccess, path: string, body: object): Promise<Answer> => {
  const request = {
    method: 'POST',
    headers: { Authorization: `Bearer ${access.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  } as const
  const response = await fetch(`${access.url}${path}`, request).catch(() => null)
  if (response === null)
    throw new Error(`Nothing answers at ${access.url}. Another address is named by --url or BASE_URL.`)
  if (!response.ok) throw new Error((await finalReason(response, access)) ?? (await reasonIn(response)))
  const answer = await answerIn(response)
  if (answer === null) throw new Error(`What answers at ${access.url} is no Vouchsafe.`)
  return answer
}
