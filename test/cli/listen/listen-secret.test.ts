import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { listenSecret, usualSecretFile } from '../../../src/cli/listen/listen-secret.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

describe('the secret of vouchsafe listen', () => {
  it('is made once, for its user alone, and stays', () => {
    const folder = temporaryFolder('listen-secret')
    const file = join(folder, 'deep', 'listen-secret')
    const secret = listenSecret(file)
    expect(secret).toMatch(/^svc_whsec_listen_[\w-]{43}$/)
    expect(readFileSync(file, 'utf8')).toBe(`${secret}\n`)
    expect([statSync(file).mode & 0o777, statSync(join(folder, 'deep')).mode & 0o777]).toEqual([0o600, 0o700])
    expect(listenSecret(file)).toBe(secret)
    expect(listenSecret(join(folder, 'another'))).not.toBe(secret)
  })

  it('is never that of an endpoint, nor anything else that stands in the file', () => {
    const folder = temporaryFolder('listen-secret')
    const file = join(folder, 'secret')
    for (const text of [`svc_whsec_${'a'.repeat(43)}`, '', 'svc_whsec_listen_short']) {
      writeFileSync(file, text)
      expect(() => listenSecret(file)).toThrow('has no secret that vouchsafe listen has made')
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
    mkdirSync(join(folder, 'folder'))
    expect(() => listenSecret(join(folder, 'folder'))).toThrow('EISDIR')
  })

  it('stands with what the user has set up', () => {
    expect(usualSecretFile({ XDG_CONFIG_HOME: '/config' })).toBe('/config/vouchsafe/listen-secret')
    expect(usualSecretFile({})).toBe(join(homedir(), '.config/vouchsafe/listen-secret'))
  })
})
