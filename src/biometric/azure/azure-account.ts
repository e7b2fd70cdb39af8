import type { VendorAccount, VendorRefused } from '../../ports/face-vendor.ts'
import { refused } from '../outcomes.ts'

export type AzureAccount = {
  /** Without a slash at the end. */
  readonly endpoint: string
  readonly key: string
}

const KEY = /^[\x21-\x7e]{1,256}$/
const ENDPOINT_CHARACTERS_MAX = 300

export const azureAccountOf = ({ settings, credentials }: VendorAccount): AzureAccount | VendorRefused => {
  const { endpoint = '' } = settings
  const { key = '' } = credentials
  const origin = originOf(endpoint)
  if (origin === null)
    return refused(
      'settings',
      'settings.endpoint must be the address of a Face resource, such as https://NAME.cognitiveservices.azure.com.',
    )
  if (!KEY.test(key)) return refused('settings', 'credentials.key must be a key of the Face resource.')
  return { endpoint: origin, key }
}

/** An address and nothing behind it; which addresses and schemes may be called is decided on the way out. */
function originOf(endpoint: string): string | null {
  if (endpoint.length > ENDPOINT_CHARACTERS_MAX || !URL.canParse(endpoint)) return null
  const { protocol, origin, pathname, search, hash, username, password } = new URL(endpoint)
  const isPlain = pathname === '/' && search === '' && hash === '' && username === '' && password === ''
  return isPlain && /^https?:$/.test(protocol) ? origin : null
}
