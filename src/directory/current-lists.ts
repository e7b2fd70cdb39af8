import type { Directory, DirectoryRow, ListQuery } from '../ports/directory.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { Projector } from './projector.ts'
import type { ThreadedDirectory } from './threaded-directory.ts'

/** After this time the list is answered although it may be slightly behind: late would be worse. */
const PATIENCE_MS = 200

export type CurrentListsParts = {
  readonly directory: Pick<ThreadedDirectory, 'hurried' | 'list'>
  readonly projector: Pick<Projector, 'caughtUp'>
  readonly runtime: Pick<Runtime, 'sleep'>
}

/**
 * Lists that include everything that was committed before they were asked for: they wait until the projector has caught
 * up.
 */
export class CurrentLists implements Directory {
  readonly #parts: CurrentListsParts

  constructor(parts: CurrentListsParts) {
    this.#parts = parts
  }

  list(query: ListQuery): Promise<{ readonly rows: readonly DirectoryRow[]; readonly total: number }> {
    const { directory } = this.#parts
    return directory.hurried(async () => {
      await this.#caughtUp()
      return directory.list(query)
    })
  }

  async #caughtUp(): Promise<void> {
    const { projector, runtime } = this.#parts
    const inTime = new AbortController()
    const patience = runtime.sleep(PATIENCE_MS, inTime.signal).catch(() => undefined)
    await Promise.race([projector.caughtUp(), patience])
    inTime.abort(CAUGHT_UP)
  }
}

/** Created once: without a reason every list would create an error with its stack. */
const CAUGHT_UP = new Error('the lists have caught up')
