import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import {
  createMasterKeyFile,
  newMasterKey,
  readMasterKeyFile,
} from '../../../src/persistence/vault/master-key-file.ts'
import { reservePorts } from '../../../src/ledger/sandbox/reserved-ports.ts'
import { atLength } from '../../at-length.ts'
import { freshKeyspace } from '../../contract/journal/parts/cassandra-keyspace.ts'
import { ServiceProcess } from '../../service-process.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { filesWithBytes, filesWithText } from '../../../tools/scan/places.ts'
import { SealedLoad } from './parts/sealed-load.ts'
import { linkSettings } from '../../../tools/harness/cluster-secret.ts'

const ROTATIONS = atLength(2, 3)
const ANSWERS_BETWEEN = 30
const START_LIMIT_MS = 180_000
const POLL = { timeout: 120_000, interval: 20 }
const cli = fileURLToPath(new URL('../../../src/cli.ts', import.meta.url))

type Environment = Readonly<Record<string, string>>

/** Keys leave memory at once, so that nearly every request asks the key store and unwraps by the master key. */
const FORGETFUL = {
  VOUCHSAFE_VAULT_CACHE_KEYS_MAX: '16',
  VOUCHSAFE_VAULT_CACHE_SECONDS: '1',
  VOUCHSAFE_RESIDENT_ACTORS_MAX: '16',
  VOUCHSAFE_ACTOR_IDLE_SECONDS: '1',
  VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '1000000',
  VOUCHSAFE_LOG_LEVEL: 'silent',
  // A busy machine is no failure of a rotation.
  VOUCHSAFE_ASK_TIMEOUT_MS: '60000',
  VOUCHSAFE_VAULT_TIMEOUT_MS: '60000',
  VOUCHSAFE_DEAD_AFTER_MS: '60000',
}

const rotate = async (environment: Environment): Promise<string> => {
  const child = spawn(process.execPath, [cli, '--json', 'vault', 'rotate'], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (text) => (said += String(text)))
  expect((await once(child, 'close'))[0]).toBe(0)
  return (JSON.parse(said) as { is: string }).is
}

/** The service serves from before the first rotation until after the last, and another one starts on what they left. */
const rotateWhileServing = async (
  environment: Environment,
  dataFolder: string,
  keyFile: string,
  steps: readonly string[],
) => {
  const settings = { ...FORGETFUL, ...environment, PORT: String(await reservePorts(1)) }
  const service = new ServiceProcess({ ...settings, VOUCHSAFE_DATA_FOLDER: dataFolder })
  const url = await servingAllShards(service)
  const load = new SealedLoad(url, dataFolder)
  const keys = [keysOf(keyFile)]
  try {
    await load.start()
    await untilAnswers(load, ANSWERS_BETWEEN)
    for (let rotation = 0; rotation < ROTATIONS; rotation++) {
      const before = load.answers
      for (const step of steps) {
        expect(await rotate({ ...environment, VOUCHSAFE_DATA_FOLDER: dataFolder })).toBe(step)
      }
      expect(load.failures).toEqual([])
      expect(load.answers).toBeGreaterThan(before)
      keys.push(keysOf(keyFile))
      await untilAnswers(load, before + ANSWERS_BETWEEN)
    }
    await load.stop()
    expect(load.failures).toEqual([])
  } finally {
    await load.stop()
    expect(await service.stop()).toMatchObject({ code: 0 })
  }
  const next = new ServiceProcess({ ...settings, VOUCHSAFE_DATA_FOLDER: dataFolder })
  try {
    await servingAllShards(next)
    await load.recallAll()
    expect(load.failures).toEqual([])
  } finally {
    await next.stop()
  }
  return { load, keys }
}

/** A node of a cluster listens before it has taken all shards. */
const servingAllShards = async (service: ServiceProcess): Promise<string> => {
  const { url, privateUrl } = await service.untilListening(START_LIMIT_MS)
  const metrics = async (): Promise<string> => (await fetch(`${privateUrl}/metrics`)).text()
  await expect.poll(metrics, POLL).toMatch(/^vouchsafe_actors_shards 256$/m)
  return url
}

const untilAnswers = (load: SealedLoad, count: number): Promise<void> =>
  expect.poll(() => load.failures[0] ?? load.answers > count, POLL).toBe(true)

const keysOf = (file: string) => readMasterKeyFile(file) ?? []

const expectOnlyTheNewest = (file: string, keys: readonly ReturnType<typeof keysOf>[]): void => {
  expect(keys.map((entries) => entries.length)).toEqual(keys.map(() => 1))
  expect(new Set(keys.flatMap((entries) => entries.map(({ id }) => id))).size).toBe(ROTATIONS + 1)
  expect(keysOf(file)).toEqual(keys.at(-1))
}

describe('rotation of the master key while a service serves', () => {
  const folder = temporaryFolder('rotation-serving')

  it('fails no request on the embedded engine, and leaves all readable without any older key', async () => {
    const data = join(folder, 'embedded')
    const keyFile = join(data, 'vault.key')
    const { load, keys } = await rotateWhileServing({}, data, keyFile, ['rotated'])
    expectOnlyTheNewest(keyFile, keys)
    for (const { key } of keys.slice(0, -1).flat()) {
      expect(filesWithBytes(data, key)).toEqual([])
      expect(filesWithText(data, key.toString('base64url'))).toEqual([])
    }
    const [newest] = keysOf(keyFile)
    expect(filesWithText(data, newest?.key.toString('base64url') ?? '')).toEqual([keyFile])
    expect(load.made).toBeGreaterThan(ROTATIONS)
  }, 600_000)

  it('fails no request on Cassandra either, by the two runs that a cluster takes', async () => {
    const keyFile = join(folder, 'cluster.key')
    createMasterKeyFile(keyFile, newMasterKey())
    const { contactPoints, localDatacenter, keyspace } = await freshKeyspace()
    const environment = {
      VOUCHSAFE_JOURNAL: 'cassandra',
      VOUCHSAFE_CASSANDRA_CONTACT_POINTS: contactPoints.join(','),
      VOUCHSAFE_CASSANDRA_LOCAL_DATACENTER: localDatacenter,
      VOUCHSAFE_CASSANDRA_KEYSPACE: keyspace,
      VOUCHSAFE_CASSANDRA_REPLICATION_FACTOR: '1',
      VOUCHSAFE_CASSANDRA_REQUEST_TIMEOUT_MS: '30000',
      VOUCHSAFE_VAULT_KEY_FILE: keyFile,
      ...linkSettings(keyFile),
    }
    const data = join(folder, 'node')
    const { keys } = await rotateWhileServing(environment, data, keyFile, ['prepared', 'rotated'])
    expectOnlyTheNewest(keyFile, keys)
  }, 600_000)
})
