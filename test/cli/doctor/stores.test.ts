import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cassandra, kafka } from '../../../src/cli/doctor/stores.ts'
import { loadConfig } from '../../../src/config/config.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const keyFile = join(temporaryFolder('vouchsafe-doctor'), 'vault.key')
writeFileSync(keyFile, 'key')

/** Port 1 of this machine, where nothing listens. */
const nowhere = loadConfig({
  VOUCHSAFE_JOURNAL: 'cassandra',
  VOUCHSAFE_CASSANDRA_CONTACT_POINTS: '127.0.0.1:1',
  VOUCHSAFE_VAULT_KEY_FILE: keyFile,
  VOUCHSAFE_STREAM: 'kafka',
  VOUCHSAFE_KAFKA_BROKERS: '127.0.0.1:1',
})

describe('a store', () => {
  it('is looked for only where it is configured', () => {
    expect([cassandra.applies(loadConfig({})), kafka.applies(loadConfig({}))]).toEqual([false, false])
    expect([cassandra.applies(nowhere), kafka.applies(nowhere)]).toEqual([true, true])
  })

  it.each([
    ['Cassandra', cassandra, 'npm run infra -- up cassandra'],
    ['Kafka', kafka, 'npm run infra -- up kafka'],
  ] as const)(
    'that does not answer is broken, and %s is told how to be started',
    async (_name, check, mend) => {
      const found = await check.run(nowhere)
      expect(found).toMatchObject({ ok: false, mend: expect.stringContaining(mend) as string })
      expect(found.detail).toMatch(/^127\.0\.0\.1:1 does not answer/)
    },
  )
})
