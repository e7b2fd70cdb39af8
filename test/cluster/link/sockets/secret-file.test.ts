import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { linkSecret, parseSecrets } from '../../../../src/cluster/link/sockets/secret.ts'
import { openSecretFile } from '../../../../src/cluster/link/sockets/secret-file.ts'
import { createRuntime } from '../../../../src/host/runtime.ts'
import { writtenLog } from '../../../telemetry/written-log.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'

const [one, two] = ['x'.repeat(32), 'y'.repeat(40)]

describe('the secret of a cluster', () => {
  it('is one line, or two while it changes, each of 32 bytes or more', () => {
    expect(parseSecrets('file', `${one}\n`)).toEqual([linkSecret(one)])
    expect(parseSecrets('file', `${two}\r\n\n${one}`)).toEqual([linkSecret(two), linkSecret(one)])
    for (const content of [
      '',
      '\n',
      `${one}\n${two}\n${one}`,
      'x'.repeat(31),
      `${one}\nshort`,
      'x'.repeat(2_000),
    ])
      expect(() => parseSecrets('file', content)).toThrow(/^file /)
    expect(() => parseSecrets('file', 'canary')).not.toThrow('canary')
  })

  it('says nothing of itself by its id, and has a key for each purpose', () => {
    const { id, tlsKey, proofKey } = linkSecret(one)
    expect(id).toMatch(/^[0-9a-f]{16}$/)
    expect(tlsKey).not.toEqual(proofKey)
    expect(linkSecret(two).id).not.toBe(id)
  })

  it('is not read from a file that everybody can read, or that is not there', async () => {
    const file = join(temporaryFolder('link-secret'), 'secret')
    const open = () => openSecretFile(file, createRuntime(), writtenLog().log)
    await expect(open()).rejects.toThrow('ENOENT')
    writeFileSync(file, one)
    chmodSync(file, 0o644)
    await expect(open()).rejects.toThrow('chmod')
  })

  it('goes on with the secrets read last while its file cannot be used, and says so once', async () => {
    const file = join(temporaryFolder('link-secret'), 'secret')
    writeFileSync(file, one, { mode: 0o600 })
    const { log, logged } = writtenLog()
    const secrets = await openSecretFile(file, createRuntime(), log, 10)
    onTestFinished(() => secrets[Symbol.asyncDispose]())
    rmSync(file)
    await expect.poll(() => logged.map(([event]) => event)).toEqual(['link.secret_unreadable'])
    expect(secrets.all()[0]).toEqual(linkSecret(one))
    writeFileSync(file, `${two}\n${one}`, { mode: 0o600 })
    await expect.poll(() => secrets.all()[0]).toEqual(linkSecret(two))
    expect(secrets.stateOf(linkSecret(one).id)).toBe('old')
    expect(secrets.byId('unknown')).toBeNull()
    expect(logged).toHaveLength(1)
  })
})
