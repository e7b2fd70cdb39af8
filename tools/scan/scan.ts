import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Canaries, formsOf } from './forms.ts'
import { type KeyRows, keyRowsOfFile, openKeys } from './open-keys.ts'
import { openedIn } from './opened.ts'
import { type Place, placesIn } from './places.ts'
import { chainsIn } from './sqlite-chains.ts'

export type Found = {
  /** In the bytes as they are. */
  readonly plain: readonly string[]
  /** In what the keys on the disk open. */
  readonly opened: readonly string[]
}

export type Disk = {
  /** All folders: data, and in a cluster those of Kafka and Cassandra, which must not compress what they store. */
  readonly folders: readonly string[]
  readonly keyFile: string
  /** The wrapped keys as they are now. */
  readonly readKeys: () => KeyRows | Promise<KeyRows>
}

/** The disk of an embedded service. */
export const embeddedDisk = (dataFolder: string): Disk => ({
  folders: [dataFolder],
  keyFile: join(dataFolder, 'vault.key'),
  readKeys: () => {
    const copy = mkdtempSync(join(tmpdir(), 'vouchsafe-scan-'))
    try {
      return keyRowsOfFile(join(dataFolder, 'vault', 'keys.sqlite'), copy)
    } finally {
      rmSync(copy, { recursive: true })
    }
  },
})

/** Looks for canaries on a disk, and remembers the wrapped keys that it has seen there. */
export class Scan {
  readonly #disk: Disk
  readonly #seen: KeyRows[] = []

  constructor(disk: Disk) {
    this.#disk = disk
  }

  /** To be called before an erasure: a key that has left the key store and stands elsewhere on the disk opens still. */
  async rememberKeys(): Promise<void> {
    this.#seen.push(await this.#disk.readKeys())
  }

  async find(canaries: Canaries): Promise<Found> {
    await this.rememberKeys()
    const { folders, keyFile } = this.#disk
    const files = placesIn(folders)
    const places = [...files, ...chainsIn(files)]
    const keys = await openKeys(keyFile, this.#seen, files)
    return { plain: foundIn(places, canaries), opened: foundIn(openedIn(places, keys), canaries) }
  }
}

/** Which canary stands where, and in which encoding. */
export const foundIn = (places: readonly Place[], canaries: Canaries): readonly string[] => {
  const wanted = [...canaries].map(([name, text]) => [name, formsOf(text)] as const)
  const found = places.flatMap(({ name: place, bytes }) =>
    wanted.flatMap(([name, forms]) =>
      forms
        .filter(([, each]) => each.some((form) => bytes.includes(form)))
        .map(([encoding]) => `${name} as ${encoding} in ${place}`),
    ),
  )
  return [...new Set(found)]
}
