import { isIP } from 'node:net'
import { isGlobal } from './address.ts'
import { EgressRefused } from './failures.ts'

export type TargetSettings = {
  /** For development only: allows private addresses and plain http. */
  readonly allowPrivateTargets: boolean
}

/** The URL of a target, as far as it can be judged without asking a name server; throws on one that is never called. */
export const targetOf = (text: string, { allowPrivateTargets }: TargetSettings): URL => {
  if (!URL.canParse(text)) throw new EgressRefused('the URL cannot be read')
  const url = new URL(text)
  if (url.protocol !== 'https:' && !(allowPrivateTargets && url.protocol === 'http:'))
    throw new EgressRefused('the URL must begin with https')
  if (url.username !== '' || url.password !== '') throw new EgressRefused('the URL must not hold a password')
  // A literal address never reaches the resolver, so it is checked here.
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) !== 0 && !allowPrivateTargets && !isGlobal(host)) throw notPublic()
  return url
}

/** Why a target is never called; null where it might be. */
export const targetFlaw = (text: string, settings: TargetSettings): string | null => {
  try {
    targetOf(text, settings)
    return null
  } catch (error) {
    if (error instanceof EgressRefused) return error.message
    throw error
  }
}

export const notPublic = (): EgressRefused => new EgressRefused('the address is not a public one')
