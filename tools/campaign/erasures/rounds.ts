import { setTimeout as pause } from 'node:timers/promises'
import type { Json, Tenant } from '../../flows/tenant.ts'
import type { Program } from '../../harness/program.ts'
import type { Restarting } from '../../harness/restarting.ts'
import { untilFound } from '../../harness/waiting.ts'
import type { Random } from '../../simulate/random.ts'
import { shuffled } from '../scenario.ts'
import type { openDisk } from './disk.ts'
import type { Eraser } from './eraser.ts'
import type { Subject } from './subjects.ts'
import { shownOf, type Snapshot, wrongEntries, wrongErased, wrongKept } from './verdict.ts'

type Parts = {
  readonly service: Restarting<Program>
  readonly tenant: Tenant
  readonly eraser: Eraser
  readonly disk: Pick<Awaited<ReturnType<typeof openDisk>>, 'wrongBytes'>
  readonly random: Random
  /** The records before all. */
  readonly before: Snapshot
  readonly say: (line: string) => void
}

type Work = {
  readonly exchanges: readonly Subject[]
  readonly connections: readonly Subject[]
  readonly kept: readonly Subject[]
  readonly kills: number
}

/** The requests of a round begin within this time. */
const ASKED_WITHIN_MS = 1_200
/** After the answer that a kill waits for, which may be none or the last; on a busy machine it may be late. */
const KILLED_WITHIN_MS = 250
const ANSWER_LIMIT_MS = 15_000
const WHILE_STARTING = 0.2
const START_MS = 1_500
/** Of each sort, looked at after each start; in the end all are. */
const SAMPLE = 12
const FINISHED_LIMIT_MS = 60_000
const REPEATED_LIMIT_MS = 120_000

/**
 * In each round some erasures are asked for and the process is killed among them. After its start those that were answered
 * are complete, and those that were not are complete or as if nobody had asked.
 */
export class Rounds {
  readonly problems: string[] = []
  kills = 0
  readonly report = { answeredBeforeAKill: 0, cutOff: 0, doneThough: 0, looks: 0 }
  readonly #counted = new Set<string>()
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.#parts = parts
  }

  async run(
    { exchanges, connections, kept, kills }: Work,
    begun: (round: number) => Promise<void>,
  ): Promise<void> {
    const { random, service, eraser, say } = this.#parts
    const left = shuffled(random, exchanges)
    const whole = [...connections]
    for (let round = 1; round <= kills; round++) {
      await service.untilReady()
      await begun(round)
      const asked = left.splice(0, Math.ceil(left.length / (kills - round + 1)))
      // The first early, so that most kills come while there is something of them left to do.
      const next =
        round % Math.max(1, Math.floor(kills / (connections.length + 1))) === 1 ? whole.shift() : null
      if (next) asked.push(next)
      let answers = 0
      const killAt = random.below(asked.length + 1)
      const asking = asked.map(async (subject) => {
        await pause(random.next() * ASKED_WITHIN_MS)
        const key = random.chance(0.5) ? `erase-${subject.id}` : null
        if (await eraser.erase(subject, key)) answers += 1
      })
      const otherwise = () => new Error('late')
      await untilFound(() => answers >= killAt, { limitMs: ANSWER_LIMIT_MS, everyMs: 5, otherwise }).catch(
        () => undefined,
      )
      await pause(random.next() * KILLED_WITHIN_MS)
      await this.#kill()
      await Promise.all(asking)
      const done = asked.filter(({ id }) => eraser.answered.has(id))
      this.report.answeredBeforeAKill += done.length
      await service.untilReady()
      await this.#look(done, kept)
      say(
        `${round} of ${kills}: ${asked.length} asked, ${done.length} answered, ` +
          `${eraser.unanswered.size} open, ${this.problems.length + eraser.problems.length} problems`,
      )
    }
    // Of few kills there are fewer rounds than connections.
    for (const subject of whole) await eraser.erase(subject)
  }

  /** Asks again for what was never answered. Says how many had come to their end without that. */
  async repeatUnanswered(): Promise<number> {
    const { eraser, tenant } = this.#parts
    let byThemselves = 0
    for (const subject of Array.from(eraser.unanswered.values())) {
      const record = await tenant.get(subject.path)
      if (record['state'] === 'closed') await this.#untilErased(subject)
      if (record['erasedAt'] !== null || record['state'] === 'closed') byThemselves += 1
      const otherwise = () => new Error(`the erasure of ${subject.id} was never answered`)
      await untilFound(() => eraser.erase(subject, `erase-${subject.id}`), {
        limitMs: REPEATED_LIMIT_MS,
        everyMs: 200,
        otherwise,
      }).catch((error: Error) => this.problems.push(error.message))
    }
    return byThemselves
  }

  async #kill(): Promise<void> {
    const { service, random } = this.#parts
    service.kill()
    this.kills += 1
    if (!random.chance(WHILE_STARTING)) return
    await pause(random.next() * START_MS)
    service.kill()
  }

  async #look(done: readonly Subject[], kept: readonly Subject[]): Promise<void> {
    const { tenant, eraser, random, before, disk } = this.#parts
    const earlier = sample(random, [...eraser.answered.values()])
    const erased = [...done, ...earlier]
    const ofConnections = erased.flatMap(({ exchanges }) => sample(random, exchanges))
    const neighbours = sample(random, kept)
    const open = [...eraser.unanswered.values()]
    const shown = await shownOf(tenant, [...erased, ...ofConnections, ...neighbours, ...open])
    this.report.looks += shown.size
    for (const { id } of open) {
      if (this.#counted.has(id)) continue
      this.#counted.add(id)
      this.report.cutOff += 1
      if (shown.get(id)?.['erasedAt'] !== null) this.report.doneThough += 1
    }
    this.problems.push(
      ...erased.flatMap((each) => wrongErased(each, shown.get(each.id))),
      ...ofConnections
        .filter(({ id, value }) => JSON.stringify(shown.get(id)).includes(value))
        .map(({ id }) => `${id} shows its text, and its connection is erased`),
      ...neighbours.flatMap((each) => wrongKept(each, before.get(each.id), shown.get(each.id))),
      ...open.flatMap((each) => this.#wrongHalf(each, shown.get(each.id))),
      ...(await wrongEntries(tenant, done)),
      ...(await disk.wrongBytes(done)),
    )
  }

  /** Nobody heard of its end: it is erased whole, or not at all. */
  #wrongHalf(subject: Subject, now: Json | undefined): readonly string[] {
    if (now === undefined) return []
    if (now['erasedAt'] !== null) return wrongErased(subject, now)
    const was = this.#parts.before.get(subject.id)
    const [had, has] = [was, now].map((record) => JSON.stringify(record?.['attributes'] ?? null))
    return was === undefined || had === has ? [] : [`${subject.id} lost ${had} and is not erased`]
  }

  async #untilErased({ id, path }: Subject): Promise<void> {
    const { tenant } = this.#parts
    const otherwise = () => new Error(`the erasure of ${id} began and did not end by itself`)
    await untilFound(async () => (await tenant.get(path))['erasedAt'] !== null, {
      limitMs: FINISHED_LIMIT_MS,
      everyMs: 200,
      otherwise,
    }).catch((error: Error) => this.problems.push(error.message))
  }
}

const sample = <Item>(random: Random, items: readonly Item[]): readonly Item[] =>
  items.length <= SAMPLE ? items : Array.from({ length: SAMPLE }, () => random.pick(items))
