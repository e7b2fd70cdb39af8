import { copyFileSync, existsSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { registerVault } from '../../src/cli/vault.ts'
import { loadConfig } from '../../src/config/config.ts'
import { engineSettings } from '../../src/persistence/engine-settings.ts'
import { openEngine } from '../../src/persistence/open-engine.ts'
import { openConfiguredVault } from '../../src/persistence/vault/open-vault.ts'
import { readMasterKeyFile } from '../../src/persistence/vault/master-key-file.ts'
import { withAnyTenant } from '../persistence/vault/parts/any-tenant.ts'
import { journalBeside } from '../persistence/vault/parts/memory-of-keys.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { type Outcome, vouchsafe } from './parts/vouchsafe.ts'

describe('vouchsafe vault', () => {
  let folder: string
  let environment: Record<string, string>

  beforeEach(() => {
    folder = temporaryFolder('cli-vault')
    environment = { VOUCHSAFE_DATA_FOLDER: folder }
  })

  const run = (...words: string[]): Promise<Outcome> => vouchsafe([registerVault], environment, words)

  it('makes a master key file, once', async () => {
    const file = join(folder, 'new', 'vault.key')
    const made = await run('--json', 'vault', 'create-key', file)
    expect(made.code).toBe(0)
    expect(JSON.parse(made.out)).toEqual({ file, key: readMasterKeyFile(file)?.[0]?.id })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const again = await run('vault', 'create-key', file)
    expect(again.code).toBe(1)
    expect(again.err).toBe(`${file} exists already: a master key file is never overwritten.\n`)
  })

  it('rotates the master key beside a running service', async () => {
    const vault = withAnyTenant(
      await openConfiguredVault(loadConfig(environment), journalBeside(), () => performance.now()),
    )
    const seal = await vault.create('cre_1', { tenant: 'ten_1', connection: null })
    const sealed = seal.seal('Alice', 'x')
    const before = readMasterKeyFile(join(folder, 'vault.key'))
    const rotated = await run('--json', 'vault', 'rotate')
    expect(rotated.code).toBe(0)
    const after = readMasterKeyFile(join(folder, 'vault.key'))
    expect(JSON.parse(rotated.out)).toEqual({
      file: join(folder, 'vault.key'),
      is: 'rotated',
      current: after?.[0]?.id,
      rewrapped: 3,
    })
    expect(after).toHaveLength(1)
    expect(after?.[0]?.id).not.toBe(before?.[0]?.id)
    await vault.create('cre_2', { tenant: 'ten_2', connection: null })
    expect((await vault.open('cre_1')).open(sealed, 'x')).toBe('Alice')
    await vault[Symbol.asyncDispose]()
    const said = await run('vault', 'rotate')
    expect(said.out).toMatch(/^The master key is [0-9a-f]{16} now \(4 keys wrapped with it\)/)
  })

  it('accepts an older key store where no service runs, and no other', async () => {
    const keys = join(folder, 'vault', 'keys.sqlite')
    const serve = async (tenant: string): Promise<Outcome> => {
      const config = loadConfig(environment)
      const engine = await openEngine(engineSettings(config))
      try {
        const vault = await openConfiguredVault(config, engine, () => performance.now())
        await vault.makeTenant(tenant)
        const beside = await run('vault', 'accept-older')
        await vault[Symbol.asyncDispose]()
        return beside
      } finally {
        await engine[Symbol.asyncDispose]()
      }
    }
    expect((await serve('ten_1')).err).toMatch(/^Another process is already running on the data folder/)
    copyFileSync(keys, join(folder, 'older'))
    await serve('ten_2')
    rmSync(keys)
    expect(await run('vault', 'accept-older')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The key store .*keys\.sqlite is missing/) as string,
    })
    expect(await run('vault', 'rotate')).toMatchObject({ code: 1 })
    expect(existsSync(keys)).toBe(false)
    copyFileSync(join(folder, 'older'), keys)
    await expect(serve('ten_3')).rejects.toThrow('vouchsafe vault accept-older')
    const master = readMasterKeyFile(join(folder, 'vault.key'))
    expect((await run('vault', 'rotate')).err).toContain('is older than the journal')
    expect(readMasterKeyFile(join(folder, 'vault.key'))).toEqual(master)
    const accepted = await run('vault', 'accept-older')
    expect(accepted.out).toBe("This key store is the journal's now. Erased again: 0. Lost: 0.\n")
    await serve('ten_3')
  })

  it('says in one line what is wrong', async () => {
    const missing = await run('vault', 'rotate')
    expect(missing.code).toBe(1)
    expect(missing.err).toBe(`The master key file ${join(folder, 'vault.key')} does not exist.\n`)
    expect(existsSync(join(folder, 'vault.key'))).toBe(false)
    environment['PORT'] = 'abc'
    expect((await run('vault', 'rotate')).err).toMatch(/^PORT must be/)
  })
})
