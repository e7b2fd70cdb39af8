import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { KeptReads } from './read-cache.ts'

/** 7 KB each. */
const FILES_MAX = 20_000

type File = { readonly id: string; readonly value: unknown }

/**
 * Objects of one network that were found on its ledger, a file each: they never change, so after a restart none is asked
 * for again. A file that cannot be read counts as none.
 */
export class KeptObjects {
  readonly #folder: string
  #count: number

  constructor(folder: string, network: string) {
    this.#folder = join(folder, network)
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    this.#count = readdirSync(this.#folder).length
  }

  of<Value extends object>(kind: string): KeptReads<Value> {
    return {
      get: async (id) => {
        try {
          const file = JSON.parse(await readFile(this.#fileOf(kind, id), 'utf8')) as File
          return file.id === id ? (file.value as Value) : null
        } catch {
          return null
        }
      },
      put: async (id, value) => {
        if (this.#count >= FILES_MAX) return
        this.#count += 1
        const file = this.#fileOf(kind, id)
        const part = `${file}.${process.pid}.${this.#count}`
        try {
          await writeFile(part, JSON.stringify({ id, value } satisfies File), { mode: 0o600 })
          await rename(part, file)
        } catch {
          // It is asked for again after the next start.
        }
      },
    }
  }

  #fileOf(kind: string, id: string): string {
    return join(this.#folder, createHash('sha256').update(`${kind} ${id}`).digest('hex'))
  }
}
