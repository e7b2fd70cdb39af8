import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadConfig } from '../../src/config/config.ts'
import { cassandraSettings, engineSettings } from '../../src/persistence/engine-settings.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const keyFile = (text: string): string => {
  const folder = temporaryFolder('engine-settings')
  const file = join(folder, 'secret')
  writeFileSync(file, text, { mode: 0o600 })
  return file
}

it('the embedded engine needs the data folder alone', () => {
  const config = loadConfig({ VOUCHSAFE_DATA_FOLDER: '/data' })
  expect(engineSettings(config)).toEqual({ engine: 'sqlite', dataFolder: '/data' })
})

it('Cassandra without a user is asked without credentials', () => {
  const config = loadConfig({
    VOUCHSAFE_JOURNAL: 'cassandra',
    VOUCHSAFE_VAULT_KEY_FILE: keyFile('key'),
    VOUCHSAFE_CASSANDRA_CONTACT_POINTS: '10.0.0.1:9042,10.0.0.2:9042',
    VOUCHSAFE_CASSANDRA_KEYSPACE: 'journal',
  })
  expect(engineSettings(config)).toMatchObject({
    engine: 'cassandra',
    cassandra: { contactPoints: ['10.0.0.1:9042', '10.0.0.2:9042'], keyspace: 'journal', credentials: null },
  })
})

it('the password of Cassandra is the first line of its file', () => {
  const { cassandra } = loadConfig({})
  const file = keyFile('s3cret\r\nof the cluster\n')
  expect(cassandraSettings({ ...cassandra, username: 'vouchsafe', passwordFile: file }).credentials).toEqual({
    username: 'vouchsafe',
    password: 's3cret',
  })
})
