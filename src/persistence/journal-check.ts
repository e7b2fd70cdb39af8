import { createHash, type Hash } from 'node:crypto'
import type { StoredEvent } from '../ports/journal.ts'
import { walkActors, walkLog } from './journal-walk.ts'
import { type Checkpoint, entriesOf, type JournalReads, type LogSlot } from './store-port.ts'

export type ShardFindings = {
  readonly shard: number
  readonly slots: number
  readonly actors: number
  readonly events: number
  /** Committed slots after the checkpoint; their copies are not checked, because they may not be written yet. */
  readonly uncopiedSlots: number
  /** One line for each problem; empty for a sound shard. */
  readonly problems: readonly string[]
}

const PROBLEMS_MAX = 100

/** Compares the log of a shard with the actors' own events, snapshots and checkpoint. May run beside a service. */
export const checkShard = async (reads: JournalReads, shard: number): Promise<ShardFindings> => {
  const check = new ShardCheck(reads, shard)
  await check.run()
  return check.findings
}

/** The events of one actor in the log, as far back as the log still reaches. */
type Logged = { readonly firstSeq: number; nextSeq: number; readonly hash: Hash }

class ShardCheck {
  readonly #reads: JournalReads
  readonly #shard: number
  readonly #logged = new Map<string, Logged>()
  #previous: LogSlot | null = null
  readonly findings

  constructor(reads: JournalReads, shard: number) {
    this.#reads = reads
    this.#shard = shard
    this.findings = { shard, slots: 0, actors: 0, events: 0, uncopiedSlots: 0, problems: [] as string[] }
  }

  async run(): Promise<void> {
    const checkpoint = await this.#reads.readCheckpoint(this.#shard)
    for await (const slot of walkLog(this.#reads, this.#shard)) {
      this.#checkSlot(slot)
      if (slot.no <= (checkpoint?.copiedNo ?? -1)) this.#remember(slot)
      else this.findings.uncopiedSlots++
    }
    if (checkpoint !== null) this.#checkCheckpoint(checkpoint)
    for await (const actor of walkActors(this.#reads, this.#shard)) await this.#checkActor(actor)
    for (const actor of this.#logged.keys()) this.#problem(`${actor} is in the log, but not among the actors`)
  }

  #checkSlot(slot: LogSlot): void {
    this.findings.slots++
    const previous = this.#previous
    this.#previous = slot
    if (previous === null) return
    if (slot.epoch < previous.epoch) this.#problem(`slot ${slot.no} goes back to epoch ${slot.epoch}`)
    if (slot.epoch > previous.epoch && slot.record.kind !== 'open')
      this.#problem(`slot ${slot.no} is of epoch ${slot.epoch}, which was never opened`)
  }

  #remember(slot: LogSlot): void {
    for (const { actor, seq, commandId, events } of entriesOf(slot)) {
      let logged = this.#logged.get(actor)
      if (logged === undefined) {
        logged = { firstSeq: seq, nextSeq: seq, hash: createHash('sha256') }
        this.#logged.set(actor, logged)
      }
      if (seq !== logged.nextSeq)
        this.#problem(`${actor}: slot ${slot.no} has event ${seq} where ${logged.nextSeq} follows`)
      for (const data of events) addTo(logged.hash, { seq: logged.nextSeq++, commandId, data })
    }
  }

  #checkCheckpoint({ copiedNo, publishedNo, projectedNo }: Checkpoint): void {
    const end = this.#previous?.no ?? -1
    const claims = { copied: copiedNo, published: publishedNo, projected: projectedNo }
    for (const [name, no] of Object.entries(claims)) {
      if (no > end) this.#problem(`the checkpoint says ${name} up to slot ${no}, the log ends at ${end}`)
    }
  }

  async #checkActor(actor: string): Promise<void> {
    this.findings.actors++
    const events = await this.#reads.readEvents(actor, 0)
    this.findings.events += events.length
    const gap = events.findIndex((event, index) => event.seq !== index + 1)
    if (gap !== -1) this.#problem(`${actor} has event ${events[gap]?.seq} where ${gap + 1} belongs`)
    await this.#checkSnapshot(actor, events.length)
    const logged = this.#logged.get(actor)
    if (logged === undefined) return
    this.#logged.delete(actor)
    if (events.length < logged.nextSeq - 1)
      this.#problem(`${actor} has ${events.length} events, its log ${logged.nextSeq - 1}`)
    else if (digestOf(events, logged) !== logged.hash.digest('hex'))
      this.#problem(
        `${actor} has other events than its log between ${logged.firstSeq} and ${logged.nextSeq - 1}`,
      )
  }

  /** A snapshot may be ahead of the copied events, but never of the log. */
  async #checkSnapshot(actor: string, events: number): Promise<void> {
    if (this.findings.uncopiedSlots > 0) return
    const snapshot = await this.#reads.readSnapshot(actor)
    if (snapshot !== null && snapshot.seq > events)
      this.#problem(`${actor} has a snapshot of event ${snapshot.seq}, but ${events} events`)
  }

  #problem(line: string): void {
    const { problems } = this.findings
    if (problems.length < PROBLEMS_MAX) problems.push(`shard ${this.#shard}: ${line}`)
  }
}

const digestOf = (events: readonly StoredEvent[], { firstSeq, nextSeq }: Logged): string => {
  const hash = createHash('sha256')
  for (const event of events) if (event.seq >= firstSeq && event.seq < nextSeq) addTo(hash, event)
  return hash.digest('hex')
}

const addTo = (hash: Hash, { seq, commandId, data }: StoredEvent): void => {
  hash.update(`${seq} ${commandId ?? ''} ${data.length} `).update(data)
}
