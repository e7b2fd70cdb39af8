import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { SDK_VERSION } from '../../sdk/core/version.ts'
import { asWalletError, internalAdvice, WalletError, walletErrorAdvice } from '../../sdk/core/wallet-error.ts'

const fileOf = (path: string): string => readFileSync(new URL(`../../sdk/${path}`, import.meta.url), 'utf8')

describe('the errors of the SDK', () => {
  it('stand in its README, each with what an app should do', () => {
    const readme = fileOf('README.md')
    for (const [kind, advice] of Object.entries({ ...walletErrorAdvice, ...internalAdvice }))
      expect(readme).toContain(`| \`${kind}\` | ${advice} |`)
  })

  it('are of one class, with whatever was below as the cause', () => {
    const below = new TypeError('x is undefined')
    expect(asWalletError(below)).toMatchObject({ kind: 'Internal', cause: below })
    const own = new WalletError('NotFound', 'there is none')
    expect(asWalletError(own)).toBe(own)
    expect(own.advice).toBe(walletErrorAdvice.NotFound)
  })

  it('advise a reset only where something is lost', () => {
    const adviceOf = (code: string): string => new WalletError('Internal', 'x', { code }).advice
    expect(adviceOf('storage_damaged')).toContain('call reset()')
    for (const code of ['storage_in_use', 'storage_unavailable', 'storage_failed', 'toString', 'x'])
      expect(adviceOf(code)).not.toContain('call reset()')
  })
})

describe('the version of the SDK', () => {
  it('is that of its package', () => {
    expect(SDK_VERSION).toBe((JSON.parse(fileOf('package.json')) as { version: string }).version)
  })
})
