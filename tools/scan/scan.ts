import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bodiesIn } from './body-cells.ts'
import { type Canaries, formsOf } from './forms.ts'
import { Needles } from './needles.ts'
import { type KeyRows, keyRowsOfFile, openKeys } from './open-keys.ts'
import { openedIn } from './opened.ts'
import { type Place, placesIn, unhurried } from './places.ts'
import { chainsIn } from './sqlite-chains.ts'

export type Found = {
  /** In the bytes as they are. */
  readonly plain: readonly string[]
  /** In what the keys on the disk open. */
  readonly opened: readonly string[]
}

/** How much there was to look through. */
export type Looked = {
  readonly files: number
  readonly bytes: number
  readonly keys: number
  /** Texts that the keys open. */
  readonly opened: number
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
  #looked: Looked = { files: 0, bytes: 0, keys: 0, opened: 0 }

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
    const places = [...files, ...chainsIn(files), ...bodiesIn(files)]
    const keys = await openKeys(keyFile, this.#seen, files)
    const opened = await openedIn(places, keys)
    this.#looked = {
      files: files.length,
      bytes: files.reduce((sum, place) => sum + place.bytes.length, 0),
      keys: keys.records.length,
      opened: opened.length,
    }
    return { plain: await foundIn(places, canaries), opened: await foundIn(opened, canaries) }
  }

  /** At the last look. */
  get looked(): Looked {
    return this.#looked
  }
}

/** Which canary stands where, and in which encoding. */
export const foundIn = async (places: readonly Place[], canaries: Canaries): Promise<readonly string[]> => {
  const needles = new Needles<string>()
  for (const [name, text] of canaries)
    for (const [encoding, forms] of formsOf(text))
      for (const form of forms) needles.add(Buffer.from(form), `${name} as ${encoding}`)
  const found = new Set<string>()
  for await (const { name: place, bytes } of unhurried(places))
    for (const { of: what } of needles.in(bytes)) found.add(`${what} in ${place}`)
  return [...found]
}
