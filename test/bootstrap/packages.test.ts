import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { npmCause } from '../../bootstrap/packages.mjs'
import { cacheFolder } from '../../bootstrap/cache-folder.mjs'
import { smallProject } from './small-project.ts'
import { closedAtEnd } from '../closed-at-end.ts'

const CLOSED = {
  npm_config_fetch_retries: '0',
  npm_config_registry: 'http://127.0.0.1:9/',
  VOUCHSAFE_CACHE_FOLDER: cacheFolder(),
}
const manifest = { name: 'small', version: '1.0.0', dependencies: { 'is-far-away': '1.0.0' } }
const lock = {
  name: 'small',
  version: '1.0.0',
  lockfileVersion: 3,
  requires: true,
  packages: {
    '': manifest,
    'node_modules/is-far-away': {
      version: '1.0.0',
      integrity: `sha512-${Buffer.alloc(64).toString('base64')}`,
    },
  },
}
const nearby = { name: 'small', version: '1.0.0', dependencies: { near: 'file:near' } }
const nearbyLock = {
  lockfileVersion: 3,
  requires: true,
  packages: { '': nearby, near: { version: '1.0.0' }, 'node_modules/near': { resolved: 'near', link: true } },
}

describe('packages that are not installed', () => {
  it('cannot come without a network, and one sentence says so', async () => {
    const project = closedAtEnd(smallProject({ installed: false, lock, manifest }))
    project.write('show.ts', '')
    const { code, stdout, stderr } = await project.run('show.ts', CLOSED)
    expect(code).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/Installing 1 npm packages …\n/)
    expect(stderr).toMatch(
      /\nnpm could not install the packages: there is no way to the package registry \(ECONNREFUSED\).*\n$/,
    )
  })

  it('are installed once by two starts at the same time', async () => {
    const project = closedAtEnd(smallProject({ installed: false, lock: nearbyLock, manifest: nearby }))
    mkdirSync(join(project.root, 'near'))
    writeFileSync(
      join(project.root, 'near', 'package.json'),
      JSON.stringify({ name: 'near', version: '1.0.0' }),
    )
    project.write('show.ts', 'console.log("ran")')
    const runs = await Promise.all([project.run('show.ts', CLOSED), project.run('show.ts', CLOSED)])
    expect(runs.map(({ stdout }) => stdout)).toEqual(['ran\n', 'ran\n'])
    expect(runs.filter(({ stderr }) => stderr.includes('Installed'))).toHaveLength(1)
    expect(existsSync(join(project.root, '.cache', 'install.lock'))).toBe(false)
  })

  it('count as installed when npm itself installed them', async () => {
    const project = closedAtEnd(smallProject({ installed: false, lock, manifest }))
    project.write('show.ts', 'console.log("ran")')
    mkdirSync(join(project.root, 'node_modules'))
    const { '': _, ...installed } = lock.packages
    writeFileSync(
      join(project.root, 'node_modules', '.package-lock.json'),
      JSON.stringify({ packages: installed }),
    )
    expect(await project.run('show.ts', CLOSED)).toMatchObject({ code: 0, stdout: 'ran\n', stderr: '' })
    expect(readFileSync(join(project.root, 'node_modules', '.vouchsafe-lock-hash'), 'utf8')).toMatch(
      /^[0-9a-f]{64}$/,
    )
  })
})

describe('a lock that cannot be used', () => {
  it.each([
    ['cut off half-way', '{"packages": {"": ', /package-lock\.json is damaged: fetch it again .*\n$/],
    ['not a lock at all', 'null', /package-lock\.json is damaged: fetch it again .*\n$/],
    ['not there', null, /^There is no package-lock\.json in .*: fetch the whole repository again .*\n$/],
  ])('because it is %s stops the start with one sentence', async (_state, text, sentence) => {
    const project = closedAtEnd(smallProject({ installed: false, lock, manifest }))
    project.write('show.ts', '')
    if (text === null) rmSync(join(project.root, 'package-lock.json'))
    else project.write('package-lock.json', text)
    const { code, stdout, stderr } = await project.run('show.ts', CLOSED)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(sentence)
    expect(stderr.split('\n')).toHaveLength(2)
  })

  it("is mended by installing again when it is npm's own record", async () => {
    const project = closedAtEnd(smallProject({ installed: false, lock: nearbyLock, manifest: nearby }))
    project.write('show.ts', 'console.log("ran")')
    mkdirSync(join(project.root, 'near'))
    project.write('near/package.json', JSON.stringify({ name: 'near', version: '1.0.0' }))
    mkdirSync(join(project.root, 'node_modules'))
    project.write('node_modules/.package-lock.json', '{"packages": {"node_mod')
    const { code, stdout, stderr } = await project.run('show.ts', CLOSED)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ran\n' })
    expect(stderr).toContain('Installed')
  })
})

describe("npm's words", () => {
  it.each([
    [
      'npm error code EUSAGE\nnpm error Missing: x@ from lock file',
      'do not belong together: run npm install once',
    ],
    ['npm error code ENOSPC\nnpm error nospc no space left on device', 'the disk is full'],
    ['npm error code EINTEGRITY', 'other contents than the lock file names'],
    ['npm error code EACCES', 'may not write there'],
    ['npm error code E401\nnpm error Unable to authenticate', 'Unable to authenticate (run npm ci'],
  ])('%s become a cause with its mend', (output, cause) => {
    expect(npmCause(output)).toContain(cause)
  })
})
