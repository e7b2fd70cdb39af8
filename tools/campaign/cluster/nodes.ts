import { Failure } from '../../../bootstrap/failure.mjs'
import { existingLayout, type Layout, type NodePlace } from '../../cluster/layout.ts'
import { processesOf } from '../../cluster/processes.ts'
import { nodeProgram, readyUrl } from '../../cluster/programs.ts'
import { nodeName } from '../../cluster/settings.ts'
import { untilFound } from '../../harness/waiting.ts'

const START_LIMIT_MS = 300_000
const READY_LIMIT_MS = 180_000
const READY_ASK_MS = 2_000
const LOOK_MS = 250

type Processes = ReturnType<typeof processesOf>
type Say = (line: string) => void

/** The nodes of a cluster that runs, as whoever disturbs them sees them. */
export const serviceNodes = (folder: string, say: Say) => {
  const layout = existingLayout(folder)
  const processes = processesOf(folder)
  const away = new Set<number>()
  const keeper = keeperOf(folder, layout, processes, say)
  const all = layout.nodes.map(({ number }) => number)
  return {
    all,
    problems: keeper.problems,
    startsMs: keeper.startsMs,
    /** Those that nobody has killed, stopped or frozen at the moment. */
    present: (): readonly number[] => all.filter((number) => !away.has(number)),
    start: async (number: number): Promise<void> => {
      await keeper.start(number)
      away.delete(number)
    },
    untilReady: async (number: number): Promise<void> => {
      await keeper.untilReady(number)
      away.delete(number)
    },
    kill: async (number: number): Promise<void> => {
      away.add(number)
      await processes.kill(nodeName({ number }))
    },
    freeze: (number: number): void => {
      away.add(number)
      processes.signal(nodeName({ number }), 'SIGSTOP')
    },
    thaw: (number: number): void => processes.signal(nodeName({ number }), 'SIGCONT'),
    stop: async (number: number): Promise<void> => {
      away.add(number)
      await processes.stop(nodeName({ number }))
    },
    logFile: (number: number): string => processes.logFile(nodeName({ number })),
  }
}

export type ServiceNodes = ReturnType<typeof serviceNodes>

/** Starts nodes as whatever keeps a service running does, and notices what goes wrong with that. */
const keeperOf = (folder: string, layout: Layout, processes: Processes, say: Say) => {
  const problems: string[] = []
  const startsMs: number[] = []
  const placeOf = (number: number): NodePlace => {
    const place = layout.nodes.find((each) => each.number === number)
    if (place === undefined) throw new Failure(`There is no ${nodeName({ number })}.`)
    return place
  }

  /** Again, where it does not come up while its stores are away. */
  const start = async (number: number): Promise<void> => {
    const startedMs = performance.now()
    const attempt = async (): Promise<boolean> => {
      try {
        await processes.start(nodeProgram(folder, layout, placeOf(number)))
        return true
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error)
        say(`${nodeName({ number })} did not start: ${words.slice(0, WORDS_MAX)}`)
        return false
      }
    }
    const otherwise = () => new Error(`${nodeName({ number })} could not be started`)
    await untilFound(attempt, { limitMs: START_LIMIT_MS, everyMs: LOOK_MS, otherwise })
    startsMs.push(performance.now() - startedMs)
  }

  /** A node that has ended by itself is a problem, and is started again. */
  const untilReady = async (number: number): Promise<void> => {
    const name = nodeName({ number })
    const look = async (): Promise<boolean> => {
      if (processes.running(name) === null) {
        problems.push(`${name} has ended by itself: ${processes.logFile(name)}`)
        await start(number)
      }
      return isReady(placeOf(number))
    }
    const otherwise = () => new Error('late')
    await untilFound(look, { limitMs: READY_LIMIT_MS, everyMs: LOOK_MS, otherwise }).catch(() =>
      problems.push(`${name} was not ready within ${READY_LIMIT_MS / 1_000} s`),
    )
  }
  return { problems, startsMs, start, untilReady }
}

const WORDS_MAX = 160

const isReady = async (place: NodePlace): Promise<boolean> => {
  try {
    const answer = await fetch(readyUrl(place), { signal: AbortSignal.timeout(READY_ASK_MS) })
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return false
  }
}
