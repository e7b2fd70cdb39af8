import { describe, expect, it } from 'vitest'
import { deviceCookie, knownDevice } from '../../../src/actors/account/known-device.ts'
import { TokenTags } from '../../../src/actors/tokens.ts'
import type { AccountRecord } from '../../../src/actors/account/state.ts'

const tags = new TokenTags(Buffer.alloc(32, 1))
const DAY_MS = 86_400_000
const whoseWith = (passwordHash: string | null, accountId = 'acc_00aaaaaaaa') => ({
  accountId,
  account: { private: { passwordHash } } as AccountRecord,
})
const ann = whoseWith('$argon2id$one')
const made = (whose = ann, atMs = 0, shown = '', by = tags): string =>
  (deviceCookie(by, shown, whose, atMs) ?? '').split(';')[0] ?? ''
const known = (cookies: string, whose = ann, atMs = 1): string | null =>
  knownDevice(tags, cookies, whose, atMs)

describe('the cookie of a device', () => {
  it('is for this host, over TLS, unseen by scripts and not sent from other sites, for 90 days', () => {
    expect(deviceCookie(tags, '', ann, 0)).toMatch(
      /^__Host-vouchsafe-device-acc_00aaaaaaaa=[\w-]{22}\.[0-9a-z]+[\w-]{16}; Max-Age=7776000; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    )
    expect(known(made(), ann, 90 * DAY_MS - 1)).not.toBeNull()
    expect(known(made(), ann, 90 * DAY_MS)).toBeNull()
  })

  it('is found among others, and keeps the name of the device when it is made again', () => {
    const cookie = made()
    const shown = `a=b; __Host-vouchsafe=acc.x;${cookie}; ${made(whoseWith('x', 'acc_00bbbbbbbb'))}`
    expect(known(shown)).toBe(known(cookie))
    expect(known(made(ann, DAY_MS, shown), ann, 91 * DAY_MS - 1)).toBe(known(cookie))
    expect(known(made())).not.toBe(known(cookie))
  })

  it('ends with the password, and is of one account', () => {
    expect(known(made(), whoseWith('$argon2id$two'))).toBeNull()
    const other = whoseWith('$argon2id$one', 'acc_00bbbbbbbb')
    expect(known(made(other).replace('acc_00bbbbbbbb', 'acc_00aaaaaaaa'))).toBeNull()
    expect(deviceCookie(tags, '', whoseWith(null), 0)).toBeNull()
    expect(known(made(), whoseWith(null))).toBeNull()
  })

  it('cannot be made by others, nor made to last longer', () => {
    const cookie = made()
    const [name = '', value = ''] = cookie.split('=')
    const [device = '', rest = ''] = value.split('.')
    const tag = rest.slice(-16)
    const wrongs = [
      `${name}=`,
      `${name}=${device}.zzzzzz${tag}`,
      `${name}=${device}.${rest.slice(0, -16)}`,
      `${name}=${'A'.repeat(22)}.${rest}`,
      made(ann, 0, '', new TokenTags(Buffer.alloc(32, 2))),
      `x${cookie}`,
    ]
    for (const wrong of wrongs) expect(known(wrong)).toBeNull()
  })
})
