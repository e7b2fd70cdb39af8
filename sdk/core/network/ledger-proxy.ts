import { textOf } from '../bytes.ts'
import { NoAnswer, type Questions } from './questions.ts'

/** Why the proxy is of no use for a question; what needs the ledger then is `LedgerUnavailable`. */
class ProxyRefused extends Error {}

type Fields = Readonly<Record<string, unknown>>

/** What indy-vdr would ask the nodes, as a path of the proxy, and by what an answer to it is known. */
type Read = { readonly path: string; readonly isAnsweredBy: (result: Fields) => boolean }

type Options = {
  readonly questions: Pick<Questions, 'ask'>
  /** `vdrProxyUrl` of `GET /v1/ledger`. */
  readonly url: string
  /** The file that was believed at the first start. */
  readonly genesis: string
}

/**
 * The ledger over HTTPS, for networks that block the ports of its nodes. The way there is that of every question of the
 * wallet: allowed addresses, no redirects. Whoever stands there must have the genesis file that the wallet has, and
 * answer what was asked. Beyond that the service is believed in the place of the nodes.
 */
export class LedgerProxy {
  readonly #options: Options
  #sameLedger: Promise<void> | null = null

  constructor(options: Options) {
    this.#options = options
  }

  /** The answer to a request in the words of indy-vdr, in which the nodes give it too. */
  async answer(request: string): Promise<unknown> {
    const read = readIn(request)
    if (read === null) throw new ProxyRefused('the proxy does not answer this')
    await this.#demandSameLedger()
    const reply = fieldsIn(await this.#get(read.path))
    const result = fieldsOf(reply?.['result'])
    if (reply?.['op'] !== 'REPLY' || result === null || !read.isAnsweredBy(result))
      throw new ProxyRefused('the proxy answered something else than was asked')
    return reply
  }

  /** Once, as long as it goes well. */
  #demandSameLedger(): Promise<void> {
    const asked = (this.#sameLedger ??= this.#compareGenesis())
    return asked.catch((error: unknown) => {
      if (this.#sameLedger === asked) this.#sameLedger = null
      throw error
    })
  }

  /** A pool only grows, so a genesis file that was brought into force later begins with the one that the wallet has. */
  async #compareGenesis(): Promise<void> {
    const theirs = await this.#get('/genesis')
    if (!theirs.startsWith(this.#options.genesis)) throw new ProxyRefused('the proxy is of another ledger')
  }

  async #get(path: string): Promise<string> {
    const url = this.#options.url.replace(/\/+$/, '') + path
    const { status, body } = await this.#options.questions
      .ask(url, { method: 'GET', headers: { Accept: '*/*' } })
      .catch((error: unknown) => {
        throw error instanceof NoAnswer
          ? new ProxyRefused('the proxy did not answer', { cause: error })
          : error
      })
    if (status !== 200) throw new ProxyRefused(`the proxy answered ${status}`)
    return textOf(body)
  }
}

const GET_NYM = '105'
const GET_SCHEMA = '107'
const GET_CLAIM_DEF = '108'
const GET_TXN = '3'

const readIn = (request: string): Read | null => {
  const operation = fieldsOf(fieldsIn(request)?.['operation'])
  if (operation === null) return null
  const { type, dest, data, ref, tag, origin, ledgerId } = operation
  const path = (...parts: readonly unknown[]): string =>
    parts.map((part) => `/${encodeURIComponent(String(part))}`).join('')
  const echoes = (result: Fields, ...names: readonly string[]): boolean =>
    ['type', ...names].every((name) => String(result[name]) === String(operation[name]))
  switch (type) {
    case GET_NYM:
      return {
        path: path('nym', dest),
        isAnsweredBy: (result) =>
          echoes(result, 'dest') && (result['data'] === null || fieldsIn(result['data'])?.['dest'] === dest),
      }
    case GET_SCHEMA: {
      const { name, version } = fieldsOf(data) ?? {}
      return {
        path: path('schema', `${String(dest)}:2:${String(name)}:${String(version)}`),
        isAnsweredBy: (result) => {
          const found = fieldsOf(result['data'])
          return echoes(result, 'dest') && found?.['name'] === name && found?.['version'] === version
        },
      }
    }
    case GET_CLAIM_DEF:
      return {
        path: path('cred_def', `${String(origin)}:3:CL:${String(ref)}:${String(tag)}`),
        isAnsweredBy: (result) => echoes(result, 'origin', 'ref', 'tag', 'signature_type'),
      }
    case GET_TXN:
      return {
        path: path('txn', ledgerId, data),
        isAnsweredBy: (result) => {
          const number = fieldsOf(fieldsOf(result['data'])?.['txnMetadata'])?.['seqNo']
          return echoes(result) && (result['data'] === null || number === data)
        },
      }
    default:
      return null
  }
}

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null ? (value as Fields) : null

const fieldsIn = (text: unknown): Fields | null => {
  try {
    return fieldsOf(JSON.parse(String(text)))
  } catch {
    return null
  }
}
