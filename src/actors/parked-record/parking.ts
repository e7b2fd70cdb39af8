import { createHash } from 'node:crypto'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { kindOf, SHARD_COUNT } from '../../domain/references.ts'
import { isNotOwner, isRetryable } from '../../ports/actors.ts'
import {
  type HeldEvent,
  journalOf,
  type Parked,
  type ParkedPart,
  type Parking,
  ParkingFull,
  type ToHold,
  type ToPark,
} from '../../ports/parking.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { type KnownShards, shardsKnownTo } from './known-shards.ts'
import { HELD_MAX, parkedOf, parkedRecord, type ParkedCommand } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>

/** What operators hear of; ids and errors only. */
export type ParkingReport = {
  /** Called once for each record and part. */
  readonly parked: (shard: number, record: ToPark) => void
  readonly full: (shard: number, record: ToPark) => void
  /** More events waited for one record than are kept: this one is not passed on by a retry. */
  readonly leftOut: (shard: number, event: ToHold) => void
}

/** Resolves when every node knows that something may be parked in the shard. */
type Announce = (shard: number) => Promise<void>

/** What is parked stands in the actor of its shard. */
export const parkingOf = (
  ports: Ports,
  report: ParkingReport,
  announce: Announce = () => Promise.resolve(),
): Parking => {
  const known = shardsKnownTo(ports.actors)
  const of = (shard: number) => lookedAt(ports, known, shard)
  const tell = async (shard: number, command: ParkedCommand) => {
    const answer = await tellShard(ports, shard, command)
    if (!isRefused(answer)) known.seen(shard, answer)
    return answer
  }
  const atMs = () => Math.floor(ports.runtime.now())
  const checkHeld = (shard: number, id: string, entries: readonly Parked[], event: ToHold): void => {
    const held = entries.find((each) => each.id === id)?.held ?? []
    if (held.length >= HELD_MAX && !held.some((each) => each.id === event.id)) report.leftOut(shard, event)
  }
  return {
    isChangedBy: (actor) => kindOf(actor) === parkedRecord.prefix,
    of,
    park: async (shard, record) => {
      const { part, recordId, from = null, held } = record
      const id = parkedId(shard, part, recordId)
      const isKnown = (await of(shard)).some((each) => each.id === id)
      if (isKnown && held === undefined) return
      // Before it is there: what nobody has heard of may be let go by others.
      if (!isKnown) await announce(shard)
      const facts = { id, part, recordId, from, error: errorName(record.error) }
      const answer = await tell(shard, {
        type: 'ParkRecord',
        ...facts,
        held: held === undefined ? null : idsOf(held),
        atMs: atMs(),
      })
      if (isRefused(answer)) {
        report.full(shard, record)
        throw new ParkingFull(`shard ${shard} cannot park more`, { cause: record.error })
      }
      if (!isKnown) report.parked(shard, record)
      else if (held !== undefined) checkHeld(shard, id, answer, held)
    },
    hold: async (shard, recordId, event) => {
      // An event of a shard that was looked at, and in which nothing is parked, costs no read.
      if (!known.mayBeInUse(shard)) return false
      const id = parkedId(shard, 'webhooks', recordId)
      if (!(await of(shard)).some((each) => each.id === id)) return false
      const answer = await tell(shard, { type: 'HoldEvent', id, held: idsOf(event), atMs: atMs() })
      if (isRefused(answer)) return false
      checkHeld(shard, id, answer, event)
      return true
    },
    keep: async (shard, id, error) =>
      void (await tell(shard, { type: 'KeepParked', id, error: errorName(error), atMs: atMs() })),
    release: async (shard, id, held) => {
      const passedOn = held.map((each) => each.id)
      await tell(shard, { type: 'ReleaseParked', id, passedOn, atMs: atMs() })
    },
  }
}

/** Asks that the record be tried again by those who follow the log, wherever they run. */
export const retryParked = async (ports: Ports, shard: number, id: string): Promise<Parked | Refused> => {
  const answer = await tellShard(ports, shard, {
    type: 'RetryParked',
    id,
    atMs: Math.floor(ports.runtime.now()),
  })
  if (isRefused(answer)) return answer
  const found = answer.find((each) => each.id === id)
  if (found === undefined) throw new Error('what is asked to be tried again stays until it was')
  return found
}

/**
 * What is parked in a shard that this node serves. Where that itself cannot be read, nothing counts as parked: the
 * readers of the log go on, and stand still at the next record that they cannot read.
 */
export const parkedIn = async (ports: Ports, shard: number): Promise<readonly Parked[]> =>
  (await readParked(ports, shard)) ?? []

/** The same, and the shard counts as seen where it could be read: what is unreadable may be mended while the process runs. */
const lookedAt = async (ports: Ports, known: KnownShards, shard: number): Promise<readonly Parked[]> => {
  const found = await readParked(ports, shard)
  return found === null ? [] : known.seen(shard, found)
}

const readParked = async ({ actors }: Ports, shard: number): Promise<readonly Parked[] | null> => {
  try {
    const found = await actors.read(parkedOf(shard))
    return isRefused(found) ? null : found
  } catch (error) {
    if (isRetryable(error)) throw error
    return null
  }
}

/**
 * The records of a shard whose events an operator may still have passed on. What waits for an endpoint is parked on the
 * shard of the endpoint, which may be another node's: each shard is looked at once, and again when something is announced
 * there.
 */
export const heldIn = async (ports: Ports, shard: number): Promise<ReadonlySet<string>> => {
  const known = shardsKnownTo(ports.actors)
  const parked = await Promise.all(
    EVERY_SHARD.filter((each) => known.mayBeInUse(each)).map(async (each) => {
      try {
        return await lookedAt(ports, known, each)
      } catch (error) {
        if (each !== shard && isNotOwner(error)) return []
        throw error
      }
    }),
  )
  return new Set(parked.flat().flatMap(({ recordId, held }) => [recordId, ...held.map(journalOf)]))
}

const EVERY_SHARD = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)

const tellShard = ({ actors, runtime }: Ports, shard: number, command: ParkedCommand) =>
  actors.ask(parkedOf(shard), command, { commandId: `${command.type}:${runtime.newId()}`, tenant: null })

const idsOf = ({ id, recordId, actor }: ToHold): HeldEvent => ({
  id,
  recordId,
  ...(actor !== undefined && { actor }),
})

/** The same for the same record and part. */
const parkedId = (shard: number, part: ParkedPart, recordId: string): string => {
  const digest = createHash('sha256').update(`${part} ${recordId}`).digest('hex')
  return parkedRecord.newRef(shard, digest.slice(0, 32))
}

const NAME = /^[A-Za-z]{1,60}$/
const CAUSES_MAX = 3

/** The names of the error and its causes; never a message, which may quote what could not be read. */
const errorName = (error: unknown, depth = 0): string => {
  if (!(error instanceof Error)) return 'Unknown'
  const name = NAME.test(error.name) ? error.name : 'Error'
  return error.cause instanceof Error && depth < CAUSES_MAX
    ? `${name}: ${errorName(error.cause, depth + 1)}`
    : name
}
