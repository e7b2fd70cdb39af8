import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { refuseInRelease } from '../../sdk/core/release-build.ts'

/** That of rolldown, which comes with vitest. */
type Build = (options: object) => Promise<{ readonly output: readonly { readonly code?: string }[] }>

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

  it.each([
    ['process.env.NODE_ENV', '"production"'],
    ['__DEV__', 'false'],
  ])('refuses in a bundle in which %s is %s and nothing else of Node is there', async (name, value) => {
    const fromVite = createRequire(createRequire(import.meta.url).resolve('vite/package.json'))
    const { build } = (await import(fromVite.resolve('rolldown'))) as { readonly build: Build }
    const input = fileURLToPath(new URL('../../sdk/core/release-build.ts', import.meta.url))
    const bundled = async (define: Readonly<Record<string, string>>): Promise<unknown> => {
      const { output } = await build({
        input,
        write: false,
        transform: { define },
        output: { format: 'iife', name: 'sdk' },
      })
      return (): unknown => runInNewContext(`${output[0]?.code ?? ''}; sdk.refuseInRelease()`)
    }
    expect(await bundled({ [name]: value })).toThrow('A release build cannot use the development entry')
    expect(await bundled({})).not.toThrow()
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
