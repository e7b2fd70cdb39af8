import { afterEach, describe, expect, it, vi } from 'vitest'
import { refuseInRelease } from '../../sdk/core/release-build.ts'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.unstubAllGlobals()
})

describe('the development entry', () => {
  it('does not load in a release build', () => {
    expect(refuseInRelease).not.toThrow()
    vi.stubGlobal('__DEV__', false)
    expect(refuseInRelease).toThrow('A release build cannot use the development entry')
    vi.stubGlobal('__DEV__', true)
    expect(refuseInRelease).not.toThrow()
    vi.stubEnv('NODE_ENV', 'production')
    expect(refuseInRelease).toThrow('A release build cannot use the development entry')
  })

  it('alone knows the file that allows plain http', async () => {
    const { readFileSync, globSync } = await import('node:fs')
    const root = new URL('../../sdk/', import.meta.url)
    const those = globSync('{core,node,react-native}/**/*.ts', { cwd: root }).filter((path) =>
      readFileSync(new URL(path, root), 'utf8').includes('/plain-addresses.ts'),
    )
    expect(those).toEqual(['core/development.ts'])
  })
})
