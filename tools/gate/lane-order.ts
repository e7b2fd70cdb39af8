import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { CROWDS, OTHERS } from './known-seconds.ts'

/** Of a file that is in no list. */
const SHORT_SECONDS = 2

export type Timed<File> = {
  readonly file: File
  readonly seconds: number
  /** Starts so many processes that a second one of its kind beside it would make both wait. */
  readonly isCrowd: boolean
}

/**
 * The order in which lanes that take the next file whenever they are free come to their ends together: the longest first,
 * and one crowd at a time as long as there is something else to do.
 */
export const inLanes = <File>(files: readonly Timed<File>[], lanes: number): readonly File[] => {
  const longestFirst = files.toSorted((one, other) => other.seconds - one.seconds)
  const crowds = longestFirst.filter(({ isCrowd }) => isCrowd)
  const others = longestFirst.filter(({ isCrowd }) => !isCrowd)
  const freeAt = Array.from({ length: Math.max(1, lanes) }, () => 0)
  const order: File[] = []
  for (let aloneUntil = 0; order.length < files.length; ) {
    const now = Math.min(...freeAt)
    const next = (now < aloneUntil ? others.shift() : crowds.shift()) ?? crowds.shift() ?? others.shift()
    if (next === undefined) break
    if (next.isCrowd) aloneUntil = now + next.seconds
    freeAt[freeAt.indexOf(now)] = now + next.seconds
    order.push(next.file)
  }
  return order
}

/** Without what it remembers of runs before, which a fresh copy of the repository has none of, vitest goes by the size of files. */
export class LaneOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const { root, maxWorkers } = this.ctx.config
    const sorted = await super.sort(specifications)
    const timed = sorted.map((specification) =>
      timedOf(specification, relative(root, specification.moduleId)),
    )
    return [...inLanes(timed, maxWorkers)]
  }
}

const timedOf = (file: TestSpecification, path: string): Timed<TestSpecification> => ({
  file,
  seconds: CROWDS[path] ?? OTHERS[path] ?? SHORT_SECONDS,
  isCrowd: path in CROWDS,
})
