import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const PIECE = Buffer.alloc(64 * 1_024)

/** A file system of its own that can be filled up; needs the right to mount. */
export class SmallDisk implements Disposable {
  readonly folder: string
  readonly #filler: string

  constructor(folder: string, megabytes: number) {
    this.folder = folder
    this.#filler = join(folder, 'filler')
    mkdirSync(folder, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
    process.once('exit', this.#unmount)
  }

  /** Leaves not a single byte of room. */
  fill(): void {
    const file = openSync(this.#filler, 'a')
    try {
      for (let bytes = PIECE; bytes.length > 0; ) {
        try {
          writeSync(file, bytes)
        } catch {
          bytes = bytes.subarray(0, Math.floor(bytes.length / 2))
        }
      }
    } finally {
      closeSync(file)
    }
  }

  free(): void {
    rmSync(this.#filler, { force: true })
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#unmount)
    this.#unmount()
  }

  readonly #unmount = (): void => {
    execFileSync('umount', ['-l', this.folder])
  }
}
