import type { Directory } from '../ports/directory.ts'
import type { Runtime } from '../ports/runtime.ts'
import { withinBy } from '../timing/within.ts'
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
export const currentLists = ({ directory, projector, runtime }: CurrentListsParts): Directory => ({
  list: (query) =>
    directory.hurried(async () => {
      await withinBy(runtime, PATIENCE_MS, projector.caughtUp(), () => undefined)
      return directory.list(query)
    }),
})

/**
 * Resolves when everything that was committed, on the shard or on all of this node, is in the lists, in their memory and
 * in their file.
 */
export const caughtUpWith = (
  { directory, projector }: Omit<CurrentListsParts, 'runtime'>,
  shard?: number,
): Promise<void> => directory.hurried(() => projector.caughtUp(shard))
