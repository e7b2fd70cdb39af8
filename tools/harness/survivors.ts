import { readdirSync, readFileSync } from 'node:fs'
import { untilFound } from './waiting.ts'

/** A process that is about to end may take a moment. */
const GRACE_MS = 10_000

type Origin = {
  /** The session of the program that has ended. */
  readonly session: number
  /** A variable that only its environment and that of its descendants has. */
  readonly mark: string
}

type Survivor = { readonly pid: number; readonly command: string }

/**
 * The command lines of what a program has left behind, which is ended then. A process that opened a session of its own
 * has inherited the environment, and one with an environment of its own the session. Empty where there is no /proc.
 */
export const endSurvivors = async (origin: Origin, graceMs = GRACE_MS): Promise<readonly string[]> => {
  const otherwise = () => new Error('processes survive')
  const isOver = () => survivorsOf(origin).length === 0
  await untilFound(isOver, { limitMs: graceMs, everyMs: 100, otherwise }).catch(() => undefined)
  return survivorsOf(origin).map(({ pid, command }) => {
    process.kill(pid, 'SIGKILL')
    return command
  })
}

const survivorsOf = (origin: Origin): readonly Survivor[] =>
  process.platform === 'linux'
    ? readdirSync('/proc').flatMap((entry) => (/^\d+$/.test(entry) ? survivor(Number(entry), origin) : []))
    : []

const survivor = (pid: number, { session, mark }: Origin): readonly Survivor[] => {
  try {
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
    // A process that has ended and was not waited for has no command line any more.
    if (command === '') return []
    const isMarked = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(mark)
    return isMarked || sessionOf(pid) === session ? [{ pid, command }] : []
  } catch {
    // It has ended meanwhile, or belongs to another user.
    return []
  }
}

/** The fourth field behind the name of the program, which may itself hold spaces and parentheses. */
const sessionOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
}
