import {
  atMostOne,
  NOTHING_HAPPENS,
  impossibleEvent,
  refuse,
  type Decider,
  type Refused,
} from '../../domain/decider.ts'
import { referencesTo, type Ref } from '../../domain/references.ts'
import type { HeldEvent, Parked } from '../../ports/parking.ts'

/** What the followers of one shard's log go on without; the oldest first. */
export type ParkedState = { readonly entries: readonly Parked[] }

type At = { readonly atMs: number }
type ById = At & { readonly id: string }
type Facts = Pick<Parked, 'id' | 'part' | 'recordId' | 'from' | 'error'>

export type ParkedCommand =
  /** The same record of the same part once more adds only the event that waits for it. */
  | (At & Facts & { readonly type: 'ParkRecord'; readonly held: HeldEvent | null })
  /** Refused unless the record is parked. */
  | (ById & { readonly type: 'HoldEvent'; readonly held: HeldEvent })
  | (ById & { readonly type: 'RetryParked' })
  | (ById & { readonly type: 'KeepParked'; readonly error: string })
  | (ById & { readonly type: 'ReleaseParked'; readonly passedOn: readonly string[] })

export type ParkedEvent =
  | (At & Facts & { readonly type: 'RecordParked'; readonly held: HeldEvent | null })
  | (ById & { readonly type: 'EventHeld'; readonly held: HeldEvent })
  | (ById & { readonly type: 'RetryAsked' })
  | (ById & { readonly type: 'RecordKept'; readonly error: string })
  | (ById & { readonly type: 'HeldPassedOn'; readonly passedOn: readonly string[] })
  | (ById & { readonly type: 'RecordReleased' })

export type ParkedTypes = {
  readonly state: ParkedState
  readonly command: ParkedCommand
  readonly event: ParkedEvent
  readonly reply: readonly Parked[]
  readonly views: { readonly record: readonly Parked[] }
  readonly owed: never
}

export const parkedRecord = referencesTo<ParkedTypes>('prk')

/** One for each shard, on that shard: it is written under the same fence as the records, and moves with them. */
export const parkedOf = (shard: number): Ref<ParkedTypes> => parkedRecord.newRef(shard, 'ofthisshard')

/** A damaged page of a disk has some tens of records; a wrong key or an older release would park all there are. */
export const PARKED_OF_SHARD_MAX = 64
/** One endpoint that cannot be read holds so many events; those beyond are left out. */
export const HELD_MAX = 1_000

const noneParked = refuse('not_found', 'Nothing is parked under this id.')
const tooMany = refuse('overloaded', `A shard parks at most ${PARKED_OF_SHARD_MAX} records.`)

export const parkedDecider: Decider<ParkedTypes> = {
  initialState: { entries: [] },
  decide,
  evolve,
  reply: ({ entries }) => entries,
  views: { record: ({ entries }) => entries },
}

function decide({ entries }: ParkedState, command: ParkedCommand): readonly ParkedEvent[] | Refused {
  const { id, atMs } = command
  const found = entries.find((each) => each.id === id)
  if (command.type === 'ParkRecord') {
    if (found !== undefined) return command.held === null ? NOTHING_HAPPENS : hold(found, command.held, atMs)
    if (entries.length >= PARKED_OF_SHARD_MAX) return tooMany
    return [{ ...command, type: 'RecordParked' }]
  }
  if (found === undefined) return command.type === 'ReleaseParked' ? NOTHING_HAPPENS : noneParked
  switch (command.type) {
    case 'HoldEvent':
      return hold(found, command.held, atMs)
    case 'RetryParked':
      // Also once more, so that those who follow the log meet it again.
      return [{ type: 'RetryAsked', id, atMs }]
    case 'KeepParked':
      return [{ type: 'RecordKept', id, atMs, error: command.error }]
    case 'ReleaseParked': {
      const { passedOn } = command
      const rest = found.held.filter((each) => !passedOn.includes(each.id))
      return [
        rest.length === 0
          ? { type: 'RecordReleased', id, atMs }
          : { type: 'HeldPassedOn', id, atMs, passedOn },
      ]
    }
  }
}

const hold = ({ id, held }: Parked, event: HeldEvent, atMs: number): readonly ParkedEvent[] =>
  held.length >= HELD_MAX || held.some((each) => each.id === event.id)
    ? NOTHING_HAPPENS
    : [{ type: 'EventHeld', id, atMs, held: event }]

function evolve({ entries }: ParkedState, event: ParkedEvent): ParkedState {
  const { id } = event
  const found = entries.find((each) => each.id === id)
  if ((event.type === 'RecordParked') !== (found === undefined))
    throw impossibleEvent(event, found === undefined ? 'none' : 'parked')
  const change = (changed: (entry: Parked) => Partial<Parked>): ParkedState => ({
    entries: entries.map((each) => (each === found ? { ...each, ...changed(each) } : each)),
  })
  switch (event.type) {
    case 'RecordParked': {
      const { type: _, atMs: sinceMs, held, ...facts } = event
      const waiting = atMostOne(held).map((each) => ({ ...each, sinceMs }))
      const parked = { ...facts, held: waiting, sinceMs, attempts: 1, isRetryAsked: false }
      return { entries: [...entries, parked] }
    }
    case 'EventHeld':
      return change(({ held }) => ({ held: [...held, { ...event.held, sinceMs: event.atMs }] }))
    case 'RetryAsked':
      return change(() => ({ isRetryAsked: true }))
    case 'RecordKept':
      return change(({ attempts }) => ({ attempts: attempts + 1, error: event.error, isRetryAsked: false }))
    case 'HeldPassedOn':
      return change(({ held }) => ({ held: held.filter((each) => !event.passedOn.includes(each.id)) }))
    case 'RecordReleased':
      return { entries: entries.filter((each) => each !== found) }
  }
}
