import { isIP } from 'node:net'
import { isGlobal } from './address.ts'
import { EgressRefused } from './failures.ts'

export type TargetSettings = {
  /** For development only: allows private addresses and plain http. */
  readonly allowPrivateTargets: boolean
  /** The only ports that are called; none: all of them. */
  readonly targetPorts?: readonly number[]
}

/** How a target is called: by a POST, or by a message on a WebSocket. */
type CalledBy = 'post' | 'socket'

const schemes = {
  post: { secure: 'https:', plain: 'http:' },
  socket: { secure: 'wss:', plain: 'ws:' },
} as const

/** The URL of a target, as far as it can be judged without asking a name server; throws on one that is never called. */
export const targetOf = (
  text: string,
  { allowPrivateTargets, targetPorts = [] }: TargetSettings,
  calledBy: CalledBy = 'post',
): URL => {
  if (!URL.canParse(text)) throw new EgressRefused('the URL cannot be read')
  const url = new URL(text)
  const { secure, plain } = schemes[calledBy]
  if (url.protocol !== secure && !(allowPrivateTargets && url.protocol === plain))
    throw new EgressRefused(`the URL must begin with ${secure.slice(0, -1)}`)
  if (url.username !== '' || url.password !== '') throw new EgressRefused('the URL must not hold a password')
  const port = Number(url.port) || (url.protocol === secure ? 443 : 80)
  if (targetPorts.length > 0 && !targetPorts.includes(port))
    throw new EgressRefused(`the port ${port} is none of those that may be called`)
  // A literal address never reaches the resolver, so it is checked here.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !allowPrivateTargets && !isGlobal(host)) throw notPublic()
  return url
}

/** Why the address of a wallet is never written to; null where it might be. */
export const walletFlaw = (endpoint: string, settings: TargetSettings): string | null => {
  try {
    targetOf(endpoint, settings, isSocket(endpoint) ? 'socket' : 'post')
    return null
  } catch (error) {
    if (error instanceof EgressRefused) return error.message
    throw error
  }
}

/** Whether a wallet takes messages on a WebSocket alone. */
export const isSocket = (endpoint: string): boolean => /^wss?:/i.test(endpoint)

export const notPublic = (): EgressRefused => new EgressRefused('the address is not a public one')
