import { Failure } from '../../../bootstrap/failure.mjs'
import { existingLayout, type NodePlace } from '../../cluster/layout.ts'
import { processesOf } from '../../cluster/processes.ts'
import { nodeProgram, readyUrl } from '../../cluster/programs.ts'
import { nodeName } from '../../cluster/settings.ts'
import { untilFound } from '../../harness/waiting.ts'

const START_LIMIT_MS = 300_000
const READY_LIMIT_MS = 180_000
const READY_ASK_MS = 2_000
const LOOK_MS = 250

/** The nodes of a cluster that runs, as whoever keeps them running and whoever disturbs them sees them. */
export const serviceNodes = (folder: string, say: (line: string) => void) => {
  const layout = existingLayout(folder)
  const processes = processesOf(folder)
  const away = new Set<number>()
  const problems: string[] = []
  const startsMs: number[] = []

  const placeOf = (number: number): NodePlace => {
    const place = layout.nodes.find((each) => each.number === number)
    if (place === undefined) throw new Failure(`There is no ${nodeName({ number })}.`)
    return place
  }
  const isReady = async (place: NodePlace): Promise<boolean> => {
    const limit = AbortSignal.timeout(READY_ASK_MS)
    return fetch(readyUrl(place), { signal: limit }).then(
      async (answer) => (await answer.arrayBuffer(), answer.ok),
      () => false,
    )
  }

  /** As whoever keeps it running would: again, where it does not come up while its stores are away. */
  const start = async (number: number): Promise<void> => {
    const startedMs = performance.now()
    const attempt = async (): Promise<boolean> => {
      try {
        await processes.start(nodeProgram(folder, layout, placeOf(number)))
        return true
      } catch (error) {
        say(
          `${nodeName({ number })} did not start: ${error instanceof Error ? error.message : String(error)}`,
        )
        return false
      }
    }
    const otherwise = () => new Error(`${nodeName({ number })} could not be started`)
    await untilFound(attempt, { limitMs: START_LIMIT_MS, everyMs: LOOK_MS, otherwise })
    startsMs.push(performance.now() - startedMs)
    away.delete(number)
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
    away.delete(number)
  }

  const all = layout.nodes.map(({ number }) => number)
  return {
    layout,
    all,
    problems,
    startsMs,
    /** Those that nobody has killed, stopped or frozen at the moment. */
    present: (): readonly number[] => all.filter((number) => !away.has(number)),
    start,
    untilReady,
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
