import { createHash } from 'node:crypto'
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
export const checkShard = async (
  reads: JournalReads,
  shard: number,
  /** Whether a record that the log still names may have gone whole. */
  mayBeGone: (actor: string) => boolean = () => false,
): Promise<ShardFindings> => {
  const check = new ShardCheck(reads, shard, mayBeGone)
  await check.run()
  return check.findings
}

/** The events of one actor in the log, as far back as the log still reaches. */
type Logged = { readonly firstSeq: number; readonly digests: string[] }

class ShardCheck {
  readonly #reads: JournalReads
  readonly #shard: number
  readonly #mayBeGone: (actor: string) => boolean
  readonly #logged = new Map<string, Logged>()
  #previous: LogSlot | null = null
  readonly findings

  constructor(reads: JournalReads, shard: number, mayBeGone: (actor: string) => boolean) {
    this.#reads = reads
    this.#mayBeGone = mayBeGone
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
    for (const actor of this.#logged.keys())
      if (!this.#mayBeGone(actor)) this.#problem(`${actor} is in the log, but not among the actors`)
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
      const known = this.#logged.get(actor)
      const nextSeq = known === undefined ? seq : known.firstSeq + known.digests.length
      // A record that was gone begins anew.
      const logged = known === undefined || (seq === 1 && this.#mayBeGone(actor)) ? beginAt(seq) : known
      this.#logged.set(actor, logged)
      if (logged === known && seq !== nextSeq)
        this.#problem(`${actor}: slot ${slot.no} has event ${seq} where ${nextSeq} follows`)
      for (const [index, data] of events.entries())
        logged.digests.push(digestOf({ seq: seq + index, commandId, data }))
    }
  }

  #checkCheckpoint({ copiedNo, publishedNo, projectedNo }: Checkpoint): void {
    const end = this.#previous?.no ?? -1
    const claims = { copied: copiedNo, published: publishedNo, projected: projectedNo }
    for (const [name, no] of Object.entries(claims)) {
      if (no > end) this.#problem(`the checkpoint says ${name} up to slot ${no}, the log ends at ${end}`)
    }
  }

  /** Events up to the snapshot may have been folded into it. */
  async #checkActor(actor: string): Promise<void> {
    this.findings.actors++
    const events = await this.#reads.readEvents(actor, 0)
    this.findings.events += events.length
    const snapshot = await this.#reads.readSnapshot(actor)
    const folded = snapshot?.seq ?? 0
    const firstSeq = events[0]?.seq ?? folded + 1
    const lastSeq = firstSeq + events.length - 1
    if (firstSeq > folded + 1 && !this.#mayBeGone(actor))
      this.#problem(`${actor} has event ${firstSeq} where ${folded + 1} belongs`)
    const gap = events.findIndex((event, index) => event.seq !== firstSeq + index)
    if (gap !== -1) this.#problem(`${actor} has event ${events[gap]?.seq} where ${firstSeq + gap} belongs`)
    this.#checkLogged(actor, events, Math.max(lastSeq, folded))
    if (events.length > 0) this.#checkSnapshot(actor, folded, lastSeq)
  }

  #checkLogged(actor: string, events: readonly StoredEvent[], lastSeq: number): void {
    const logged = this.#logged.get(actor)
    if (logged === undefined) return
    this.#logged.delete(actor)
    const { firstSeq, digests } = logged
    const loggedSeq = firstSeq + digests.length - 1
    if (lastSeq < loggedSeq) this.#problem(`${actor} has ${lastSeq} events, its log ${loggedSeq}`)
    const others = events.some((event) => {
      const digest = digests[event.seq - firstSeq]
      return digest !== undefined && digest !== digestOf(event)
    })
    if (others) this.#problem(`${actor} has other events than its log between ${firstSeq} and ${loggedSeq}`)
  }

  /** A snapshot may be ahead of the copied events, but never of the log. */
  #checkSnapshot(actor: string, snapshotSeq: number, lastSeq: number): void {
    if (this.findings.uncopiedSlots > 0 || snapshotSeq <= lastSeq) return
    this.#problem(`${actor} has a snapshot of event ${snapshotSeq}, but ${lastSeq} events`)
  }

  #problem(line: string): void {
    const { problems } = this.findings
    if (problems.length < PROBLEMS_MAX) problems.push(`shard ${this.#shard}: ${line}`)
  }
}

const beginAt = (firstSeq: number): Logged => ({ firstSeq, digests: [] })

const digestOf = ({ seq, commandId, data }: StoredEvent): string =>
  createHash('sha256')
    .update(`${seq} ${commandId ?? ''} ${data.length} `)
    .update(data)
    .digest('base64')
