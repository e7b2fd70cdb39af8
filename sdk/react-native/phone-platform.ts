import { base64Of, fromBase64 } from '../core/bytes.ts'
import type { Network, Platform, SecureKeys } from '../core/ports.ts'
import type { FetchModule, KeychainModule, NativeModules } from './modules.ts'
import { phoneCryptography } from './sodium-module.ts'

/** Readable once the phone has been unlocked after its start, so that a push can sync; never in a backup. */
const ACCESSIBLE = 'AccessibleAfterFirstUnlockThisDeviceOnly'

export const phonePlatform = (modules: NativeModules): Platform => ({
  secureKeys: keysIn(modules.keychain),
  clock: {
    now: () => Date.now(),
    after(ms, work) {
      const timer = setTimeout(work, ms)
      return () => clearTimeout(timer)
    },
  },
  network: networkOf(modules.fetch, modules.isOnline),
  cryptography: phoneCryptography(modules.sodium, modules.crypto),
  libraries: { anoncreds: modules.anoncreds, indyVdr: modules.indyVdr },
})

const keysIn = (keychain: KeychainModule): SecureKeys => ({
  async read(name) {
    const found = await keychain.getGenericPassword({ service: serviceOf(name) })
    return found === false ? null : (fromBase64(found.password) ?? new Uint8Array())
  },
  async write(name, key) {
    const options = { service: serviceOf(name), accessible: ACCESSIBLE }
    const stored = await keychain.setGenericPassword('wallet', base64Of(key), options)
    // A wallet that was sealed with a key that nobody kept would be lost with the next start.
    if (stored === false) throw new Error('the key chain did not take the key')
  },
  async remove(name) {
    await keychain.resetGenericPassword({ service: serviceOf(name) })
  },
})

const serviceOf = (name: string): string => `vouchsafe.${name}`

/** `fetch` of React Native follows redirects whatever it is told; the core sees by the address that there was one. */
const networkOf = (fetch: FetchModule, isOnline: () => Promise<boolean>): Network => ({
  async ask(url, { method, headers, body, timeoutMs }) {
    const stopping = new AbortController()
    const timer = setTimeout(() => stopping.abort(), timeoutMs)
    try {
      const answer = await fetch(url, {
        method,
        headers: { ...headers },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: stopping.signal,
      })
      return {
        status: answer.status,
        url: answer.url,
        retryAfter: answer.headers.get('retry-after'),
        body: new Uint8Array(await answer.arrayBuffer()),
      }
    } finally {
      clearTimeout(timer)
    }
  },
  isOnline,
})
