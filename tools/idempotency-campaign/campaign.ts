import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../../src/config/config.ts'
import { SHARD_COUNT } from '../../src/domain/shards.ts'
import { engineSettings } from '../../src/persistence/engine-settings.ts'
import { openForInspection } from '../../src/persistence/open-engine.ts'
import { walkActors } from '../../src/persistence/journal-walk.ts'
import type { ServicePlace } from '../flow-campaign/places.ts'
import { Random } from '../simulate/random.ts'
import type { Answer, Caller } from './caller.ts'
import type { Command } from './commands.ts'
import { furnish, type Furnished } from './furnish.ts'
import { type Counts, judge, noCounts } from './verdict.ts'

export type CampaignOptions = {
  readonly keys: number
  /** Equal requests at the same time. */
  readonly callers: number
  readonly keysAtOnce: number
  /** Of the process, in each of the commands. */
  readonly kills: number
  readonly seed: number
}

export type CommandReport = Counts & {
  readonly effects: number
  readonly seconds: number
  readonly kills: number
}
export type CampaignReport = {
  readonly commands: Readonly<Record<string, CommandReport>>
  readonly problems: readonly string[]
}

const RETRY_MS = 50
const INSIST_LIMIT_MS = 120_000
/** About as long as the answers to one key take. */
const KILL_WITHIN_MS = 20

/** Many equal requests at once under each of many keys, of every command that makes something; then the journal is counted. */
export const runIdempotencyCampaign = async (
  place: ServicePlace,
  options: CampaignOptions,
  say: (line: string) => void,
): Promise<CampaignReport> => {
  const problems: string[] = []
  const reports: Record<string, CommandReport> = {}
  const made = new Map<string, ReadonlySet<string>>()
  const at = await furnish(place, options.kills > 0)
  try {
    for (const command of at.commands) {
      const { ids, report, found } = await runCommand(at, command, options, say)
      made.set(command.kind, ids)
      reports[command.name] = report
      problems.push(...found)
    }
    await at.service.untilListening()
    await at.service.stop()
    problems.push(...at.service.defects)
    const actors = await actorsIn(place)
    for (const { name, kind } of at.commands) {
      const here = actors.filter((actor) => actor.startsWith(`${kind}_`) && !at.before.has(actor))
      const ids = made.get(kind) ?? new Set()
      reports[name] = { ...(reports[name] as CommandReport), effects: here.length }
      const strange = here.filter((actor) => !ids.has(actor))
      if (here.length !== options.keys)
        problems.push(`${name}: ${here.length} effects of ${options.keys} keys`)
      if (strange.length > 0) problems.push(`${name}: ${strange.length} that no answer named`)
    }
    return { commands: reports, problems }
  } finally {
    await at.close()
  }
}

const runCommand = async (
  at: Furnished,
  command: Command,
  options: CampaignOptions,
  say: (line: string) => void,
) => {
  const startedMs = performance.now()
  const counts = noCounts()
  const ids = new Set<string>()
  const found: string[] = []
  const killed = options.kills > 0
  const killing = new Kills(at, options, command)
  let next = 0
  const oneAfterTheOther = async (): Promise<void> => {
    while (next < options.keys) {
      const index = next++
      const key = command.keyOf(index)
      await at.service.untilListening()
      const burst = Array.from({ length: options.callers }, () => at.caller.post(command, key))
      killing.begun(index)
      const answers: Answer[] = await Promise.all(burst)
      // Once more, when all is over: what was made is there, and is told again.
      answers.push(await insist(at.caller, command, key))
      const { id, problems } = judge(command, answers, killed, counts)
      found.push(...problems.map((problem) => `${command.name}, ${key}: ${problem}`))
      if (id !== null) ids.add(id)
    }
  }
  await Promise.all(Array.from({ length: options.keysAtOnce }, oneAfterTheOther))
  await killing.over()
  const seconds = Math.round((performance.now() - startedMs) / 100) / 10
  if (ids.size !== options.keys) found.push(`${command.name}: ${ids.size} ids of ${options.keys} keys`)
  say(`${command.name}: ${counts.posts} requests in ${seconds} s, ${killing.done} kills`)
  return { ids, found, report: { ...counts, effects: 0, seconds, kills: killing.done } }
}

/** As a caller does who obeys: again under the same key, until it is made. */
const insist = async (caller: Caller, command: Command, key: string): Promise<Answer> => {
  const startedMs = performance.now()
  for (;;) {
    const answer = await caller.post(command, key)
    const passes = answer === null || answer.status === 409 || answer.status === 503
    if (!passes || performance.now() - startedMs > INSIST_LIMIT_MS) return answer
    await pause(RETRY_MS)
  }
}

/** Kills the process among the requests of keys that are drawn. */
class Kills {
  readonly #at: Furnished
  readonly #random: Random
  readonly #among: ReadonlySet<number>
  readonly #planned: Promise<void>[] = []
  done = 0

  constructor(at: Furnished, { kills, keys, seed }: CampaignOptions, { name }: Command) {
    this.#at = at
    this.#random = new Random(seed + name.length)
    const share = keys / Math.max(1, kills)
    this.#among = new Set(
      Array.from({ length: kills }, (_, index) => Math.floor((index + this.#random.next()) * share)),
    )
  }

  begun(index: number): void {
    if (!this.#among.has(index)) return
    this.#planned.push(this.#kill(this.#random.between(0, KILL_WITHIN_MS)))
  }

  async over(): Promise<void> {
    await Promise.all(this.#planned)
  }

  async #kill(afterMs: number): Promise<void> {
    await pause(afterMs)
    // One that is not there cannot be killed.
    await this.#at.service.untilListening()
    this.#at.service.kill()
    this.done += 1
  }
}

const actorsIn = async ({ settings }: ServicePlace): Promise<readonly string[]> => {
  const reads = await openForInspection(engineSettings(loadConfig(settings)))
  const found: string[] = []
  for (let shard = 0; shard < SHARD_COUNT; shard++)
    for await (const actor of walkActors(reads, shard)) found.push(actor)
  await reads[Symbol.asyncDispose]()
  return found
}
