import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { completed, missingOptional, type Packages } from '../../tools/complete-lock.ts'

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Packages
}

describe('package-lock.json', () => {
  it('names every platform package, without which npm ci refuses it (mend: node bootstrap/run.mjs tools/complete-lock.ts)', () => {
    expect(missingOptional(lock.packages).map(({ name }) => name)).toEqual([])
  })

  it('names no registry', () => {
    const resolved = Object.values(lock.packages).flatMap((entry) =>
      'resolved' in entry ? [String(entry.resolved)] : [],
    )
    expect(resolved.filter((address) => /^https?:/.test(address))).toEqual([])
  })
})

describe('a lock with platform packages left out', () => {
  const packages: Packages = {
    '': {},
    'node_modules/tool': {
      dev: true,
      optionalDependencies: {
        '@tool/linux-x64-musl': '1.2.3',
        '@tool/darwin-arm64': '1.2.3',
        'tool-nested': '1.0.0',
      },
    },
    'node_modules/tool/node_modules/tool-nested': { version: '1.0.0' },
  }

  it('gets an entry for each with version and platform, and keeps what it had', () => {
    const whole = completed(packages)
    expect(whole['node_modules/@tool/linux-x64-musl']).toEqual({
      version: '1.2.3',
      cpu: ['x64'],
      dev: true,
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    })
    expect(Object.keys(whole)).toHaveLength(5)
    expect(missingOptional(whole)).toEqual([])
  })

  it('is refused when a name does not tell the platform', () => {
    expect(() =>
      completed({ 'node_modules/tool': { optionalDependencies: { 'tool-fast': '1.0.0' } } }),
    ).toThrow('tool-fast@1.0.0 is missing')
  })
})
