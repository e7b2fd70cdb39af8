import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Vault } from '../../../src/ports/vault.ts'
import { loadConfig } from '../../../src/config/config.ts'
import { openConfiguredVault, openKeyStore } from '../../../src/persistence/vault/open-vault.ts'
import { readMasterKeyFile } from '../../../src/persistence/vault/master-key-file.ts'
import { mastersInUse } from '../../../src/persistence/vault/rotation.ts'
import { atLength } from '../../at-length.ts'
import { withAnyTenant } from '../../persistence/vault/parts/any-tenant.ts'
import { journalBeside } from '../../persistence/vault/parts/memory-of-keys.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const KILLS = atLength(4, 10)
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const TENANTS_AT_FIRST = 400
const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))

describe('rotation of the master key beside a running service', () => {
  let folder: string
  let vault: Vault

  beforeEach(async () => {
    folder = temporaryFolder('rotation')
    vault = await open()
  })
  afterEach(async () => {
    await vault[Symbol.asyncDispose]()
  })

  const config = () => loadConfig({ VOUCHSAFE_DATA_FOLDER: folder })
  const journal = journalBeside()
  const open = async () =>
    withAnyTenant(await openConfiguredVault(config(), journal, () => performance.now()))
  const keyFile = () => readMasterKeyFile(join(folder, 'vault.key')) ?? []

  const startRotation = () => {
    const child = spawn(process.execPath, [cli, '--json', 'vault', 'rotate'], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        VOUCHSAFE_DATA_FOLDER: folder,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    child.stdout.on('data', (text) => (said += String(text)))
    return { child, ended: once(child, 'close').then(([code]) => ({ code: code as unknown, said })) }
  }

  it(`loses nothing when it is killed ${KILLS} times, and ends when it is run again (seed ${SEED})`, async () => {
    const records: { record: string; sealed: string }[] = []
    const make = async (): Promise<void> => {
      const record = `cre_${records.length}`
      const seal = await vault.create(record, { tenant: `ten_${records.length}`, connection: null })
      records.push({ record, sealed: seal.seal(record, 'x') })
    }
    for (let index = 0; index < TENANTS_AT_FIRST; index++) await make()
    const firstKey = keyFile()[0]?.id

    let random = SEED
    const fraction = (): number => {
      random = (Math.imul(random, 1_103_515_245) + 12_345) & 0x7fffffff
      return random / 0x7fffffff
    }
    const wholeMs = await timeOf(async () => {
      expect((await startRotation().ended).code).toBe(0)
    })
    for (let kill = 0; kill < KILLS; kill++) {
      const { child, ended } = startRotation()
      const timer = setTimeout(() => child.kill('SIGKILL'), fraction() * wholeMs * 1.1)
      while (child.exitCode === null && child.signalCode === null) await make()
      clearTimeout(timer)
      await ended
      expect(keyFile().length).toBeGreaterThanOrEqual(1)
      const sample = records.filter(() => fraction() < 0.05)
      const beside = await open()
      for (const { record, sealed } of sample)
        expect((await beside.open(record)).open(sealed, 'x')).toBe(record)
      await beside[Symbol.asyncDispose]()
    }
    const { code, said } = await startRotation().ended
    expect(code).toBe(0)
    const [only, ...others] = keyFile()
    expect(others).toEqual([])
    expect(JSON.parse(said)).toMatchObject({ is: 'rotated', current: only?.id })
    expect(only?.id).not.toBe(firstKey)

    const store = await openKeyStore(config(), null, false)
    expect([...(await mastersInUse(store))]).toEqual([only?.id])
    await store[Symbol.asyncDispose]()
    await vault[Symbol.asyncDispose]()
    vault = await open()
    for (const { record, sealed } of records)
      expect((await vault.open(record)).open(sealed, 'x')).toBe(record)
  })
})

const timeOf = async (run: () => Promise<void>): Promise<number> => {
  const startedMs = performance.now()
  await run()
  return performance.now() - startedMs
}
