import type { Network, NetworkAnswer, NetworkRequest } from '../ports.ts'
import { WalletError } from '../wallet-error.ts'
import type { Addresses } from './addresses.ts'

const TIMEOUT_MS = 15_000

/** No answer came. */
export class NoAnswer extends Error {
  readonly isOnline: boolean

  constructor(isOnline: boolean, cause: unknown) {
    super(isOnline ? 'the other side did not answer' : 'there is no network', { cause })
    this.isOnline = isOnline
  }
}

type Request = Omit<NetworkRequest, 'timeoutMs'>

/** The only way out of the wallet: it speaks to allowed addresses alone, and is not led anywhere else. */
export class Questions {
  readonly #network: Network
  readonly isAllowed: Addresses

  constructor(network: Network, isAllowed: Addresses) {
    this.#network = network
    this.isAllowed = isAllowed
  }

  async ask(url: string, request: Request): Promise<NetworkAnswer> {
    if (!this.isAllowed(url))
      throw new WalletError('PlatformError', `${originOf(url)} is not reached over https`, {
        code: 'address_refused',
      })
    const answer = await this.#answer(url, request)
    if (isRedirect(answer, url))
      throw new WalletError(
        'PlatformError',
        `${originOf(url)} wanted to lead the wallet to another address`,
        {
          code: 'redirect_refused',
        },
      )
    return answer
  }

  /** Asked after a failure alone. */
  isOnline(): Promise<boolean> {
    return this.#network.isOnline().catch(() => true)
  }

  async #answer(url: string, request: Request): Promise<NetworkAnswer> {
    try {
      return await this.#network.ask(url, { ...request, timeoutMs: TIMEOUT_MS })
    } catch (error) {
      throw new NoAnswer(await this.isOnline(), error)
    }
  }
}

const isRedirect = ({ status, url: from }: NetworkAnswer, url: string): boolean =>
  (status >= 300 && status < 400) || status === 0 || plain(from) !== plain(url)

/** Addresses come back a little different from how they were given. */
const plain = (url: string): string => {
  const [, scheme = '', host = '', rest = ''] = /^([a-z]+):\/\/([^/?#]*)([^#]*)/i.exec(url) ?? []
  const [, name, port] = /^(.*?)(?::(80|443))?$/i.exec(host) ?? []
  const isUsual = port === { http: '80', https: '443' }[scheme.toLowerCase()]
  return `${scheme}://${isUsual ? name : host}`.toLowerCase() + rest.replace(/^\/$/, '')
}

/** An address without what may be secret in it. */
const originOf = (url: string): string => /^[a-z]+:\/\/[^/?#]*/i.exec(url)?.[0] ?? 'The address'
