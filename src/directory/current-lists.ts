import type { Directory } from '../ports/directory.ts'
import type { ListOverviews } from '../ports/list-overview.ts'
import type { Runtime } from '../ports/runtime.ts'
import { withinBy } from '../timing/within.ts'
import type { Projector } from './projector.ts'
import type { ThreadedDirectory } from './threaded-directory.ts'

/** After this time the list is answered although it may be slightly behind: late would be worse. */
const PATIENCE_MS = 200

export type CurrentListsParts = {
  readonly directory: Pick<ThreadedDirectory, 'hurried' | 'list' | 'overview' | 'due'>
  readonly projector: Pick<Projector, 'caughtUp'>
  readonly runtime: Pick<Runtime, 'sleep'>
}

/**
 * Lists that include everything that was committed before they were asked for: they wait until the projector has caught
 * up.
 */
export const currentLists = ({
  directory,
  projector,
  runtime,
}: CurrentListsParts): Directory & ListOverviews => {
  const current = <Answer>(ask: () => Promise<Answer>): Promise<Answer> =>
    directory.hurried(async () => {
      await withinBy(runtime, PATIENCE_MS, projector.caughtUp(), () => undefined)
      return ask()
    })
  return {
    list: (query) => current(() => directory.list(query)),
    overview: (query) => current(() => directory.overview(query)),
    due: (query) => current(() => directory.due(query)),
  }
}

type CaughtUpParts = Pick<CurrentListsParts, 'projector'> & {
  readonly directory: Pick<ThreadedDirectory, 'hurried'>
}

/**
 * Resolves when everything that was committed, on the shard or on all of this node, is in the lists, in their memory and
 * in their file.
 */
export const caughtUpWith = ({ directory, projector }: CaughtUpParts, shard?: number): Promise<void> =>
  directory.hurried(() => projector.caughtUp(shard))
