import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { registerMigrate } from '../../src/cli/migrate.ts'
import type { Environment } from '../../src/config/config.ts'
import { vouchsafe } from './parts/vouchsafe.ts'

const run = (environment: Environment, ...args: string[]) => vouchsafe([registerMigrate], environment, args)

describe('vouchsafe migrate', () => {
  it('has nothing to do for the embedded engine, whose file migrates itself', async () => {
    const { code, out } = await run({}, 'migrate')
    expect([code, out]).toEqual([
      0,
      'The journal is a file, which is migrated at every start: nothing to do.\n',
    ])
    expect(JSON.parse((await run({}, '--json', 'migrate')).out)).toEqual({ engine: 'sqlite' })
  })

  it('says in one line that Cassandra cannot be reached', async () => {
    const { code, out, err } = await run(
      {
        VOUCHSAFE_JOURNAL: 'cassandra',
        VOUCHSAFE_VAULT_KEY_FILE: fileURLToPath(import.meta.url),
        VOUCHSAFE_CASSANDRA_CONTACT_POINTS: '127.0.0.1:1',
      },
      'migrate',
    )
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^Cassandra cannot be reached at 127\.0\.0\.1:1: .*\n$/)
  })

  it('names each mistake in the configuration', async () => {
    const { code, err } = await run({ PORT: 'abc', VOUCHSAFE_JURNAL: 'sqlite' }, 'migrate')
    expect([code, err.trim().split('\n').length]).toEqual([1, 2])
  })
})
