import { BodyFile, type StoredBody } from './body-file.ts'
import type { ThreadServer } from './serve-thread.ts'
import { type GroupAnswer, type GroupRequest, runCall, type ThreadFailure } from './thread-messages.ts'

export type BodyOperations = ReturnType<typeof operationsOn>

const operationsOn = (file: BodyFile) => ({
  list: (): StoredBody[] => file.list(),
  put: (name: string, text: string, expiresAtMs: number): void => file.put(name, text, expiresAtMs),
  get: (name: string): string | null => file.get(name),
  deleteAll: (names: readonly string[]): void => {
    for (const name of names) file.delete(name)
  },
})

type Opened = { readonly file: BodyFile; readonly operations: BodyOperations }

/** The file of bodies in its own thread: all calls of a group share one sync. */
export class BodyFileServer implements ThreadServer {
  readonly #path: string
  #opened: Opened | null

  constructor(path: string) {
    this.#path = path
    this.#opened = this.#open()
  }

  run({ calls }: GroupRequest): GroupAnswer {
    const values: (readonly [number, unknown])[] = []
    const failures: (readonly [number, ThreadFailure])[] = []
    try {
      const { file, operations } = (this.#opened ??= this.#open())
      for (const [index, call] of calls.entries()) {
        try {
          const value = runCall(operations, call)
          if (value !== undefined) values.push([index, value])
        } catch (error) {
          failures.push([index, { is: 'not-applied', message: messageOf(error) }])
        }
      }
      file.sync()
      return { values, failures }
    } catch (error) {
      // What a failed sync left on the disk is not known, so the file is read from its beginning.
      this.close()
      const failure = { is: 'unknown', message: messageOf(error) } as const
      return { values: [], failures: calls.map((_, index) => [index, failure]) }
    }
  }

  close(): void {
    const opened = this.#opened
    this.#opened = null
    opened?.file[Symbol.dispose]()
  }

  #open(): Opened {
    const file = BodyFile.open(this.#path)
    return { file, operations: operationsOn(file) }
  }
}

const messageOf = (error: unknown): string =>
  `file of bodies: ${error instanceof Error ? error.message : String(error)}`
