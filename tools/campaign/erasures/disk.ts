import { join } from 'node:path'
import { Client } from 'cassandra-driver'
import { cassandraSettings } from '../../../src/persistence/engine-settings.ts'
import { loadConfig } from '../../../src/config/config.ts'
import { keyspaceOfKeys } from '../../../src/persistence/cassandra/migrate.ts'
import type { Place } from '../../harness/place.ts'
import { untilFound } from '../../harness/waiting.ts'
import { cleanUp, storeUncompressed } from '../../scan/cassandra.ts'
import { type KeyRows, keyRowsOfCassandra } from '../../scan/open-keys.ts'
import { placesIn, placesWith } from '../../scan/places.ts'
import { type Disk, embeddedDisk, foundIn, Scan } from '../../scan/scan.ts'
import { STEMS, type Subject } from './subjects.ts'

const COMPACTED_LIMIT_MS = 60_000
/** Each is looked for by its own text, in all encodings and places. */
const SWEPT_MAX = 24
const MEGABYTE = 1 << 20

/** All files of the service and its servers. */
const foldersOf = ({ dataFolder, folder, servers }: Place): readonly string[] =>
  servers === null ? [dataFolder] : [dataFolder, join(folder, 'cassandra'), join(folder, 'kafka')]

const openCluster = async (place: Place, servers: NonNullable<Place['servers']>) => {
  const { keyspace } = cassandraSettings(loadConfig(place.settings).cassandra)
  const { contactPoints, localDatacenter: localDataCenter } = servers
  const client = new Client({ contactPoints: [...contactPoints], localDataCenter })
  await client.connect()
  place.add('scan', () => client.shutdown())
  const keys = keyspaceOfKeys(keyspace)
  for (const each of [keyspace, keys]) await storeUncompressed(client, each)
  const disk: Disk = {
    folders: foldersOf(place),
    keyFile: place.settings['VOUCHSAFE_VAULT_KEY_FILE'] ?? '',
    readKeys: () => keyRowsOfCassandra(client, keys),
  }
  return { disk, cleanUp: () => cleanUp(client, servers, keyspace) }
}

/** What the disk has of people while the service is killed, and in the end. */
export const openDisk = async (place: Place) => {
  const { disk, cleanUp: clean } =
    place.servers === null
      ? { disk: embeddedDisk(place.dataFolder), cleanUp: null }
      : await openCluster(place, place.servers)
  const scan = new Scan(disk)
  let rows: KeyRows = { tenants: [], records: [] }
  const megabytes = (): number =>
    Math.round(placesIn(disk.folders).reduce((sum, { bytes }) => sum + bytes.length, 0) / MEGABYTE)
  return {
    megabytes,
    /** Called when all records are there and none is erased. */
    rememberKeys: async (): Promise<void> => {
      await scan.rememberKeys()
      rows = await disk.readKeys()
    },
    /** Neither the texts of these nor their keys stand anywhere. Cassandra keeps both until it is cleaned up. */
    wrongBytes: async (subjects: readonly Subject[]): Promise<readonly string[]> => {
      if (clean !== null || subjects.length === 0) return []
      const files = placesIn(disk.folders)
      const texts = await foundIn(
        files,
        new Map(subjects.map(({ id, value }) => [`the text of ${id}`, value])),
      )
      const ids = new Set(subjects.map(({ id }) => id))
      const keys = rows.records
        .filter(({ record }) => ids.has(record))
        .flatMap(({ record, wrapped }) =>
          placesWith(files, wrapped).map((file) => `the key of ${record} in ${file}`),
        )
      return [...texts, ...keys]
    },
    /** In the end, when the service has stopped: of what was erased or swept nothing, and of the rest what is kept. */
    wrongInTheEnd: async (swept: readonly Subject[]): Promise<readonly string[]> => {
      const canaries = new Map([
        ['erased', STEMS.erased],
        ['kept', STEMS.kept],
        ...swept.slice(0, SWEPT_MAX).map(({ id, value }) => [`the text of ${id}`, value] as const),
      ])
      const isLeft = (hit: string): boolean => !hit.startsWith('kept')
      const look = async () => {
        const { plain, opened } = await scan.find(canaries)
        const left = [...plain.filter(isLeft), ...opened.filter(isLeft)]
        return { left, isSighted: opened.some((hit) => hit.startsWith('kept')) }
      }
      await clean?.()
      let found = await look()
      if (clean !== null && found.left.length > 0)
        await untilFound(
          async () => {
            found = await look()
            return found.left.length === 0
          },
          { limitMs: COMPACTED_LIMIT_MS, everyMs: 1_000, otherwise: () => new Error('left') },
        ).catch(() => undefined)
      return [...found.left, ...(found.isSighted ? [] : ['the scan did not find what is kept'])]
    },
  }
}
