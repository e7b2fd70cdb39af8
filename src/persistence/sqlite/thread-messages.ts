import type { PackedSlots } from './slot-file/packed-slots.ts'

/**
 * `defect`: the call itself is wrong (it breaks a rule of the journal, or has a bad value), so repeating it cannot
 * help.
 */
export type ThreadFailure = { readonly is: 'unknown' | 'not-applied' | 'defect'; readonly message: string }

export type ThreadCall = readonly [method: string, ...args: unknown[]]

/**
 * The slots and calls that waited when the message was sent. Groups that wait when the thread looks become one
 * transaction.
 */
export type GroupRequest = {
  readonly slots: readonly PackedSlots[]
  readonly calls: readonly ThreadCall[]
}

/**
 * Values and failures by index in the group, the slots before the calls; an index without either was done and has no
 * value.
 */
export type GroupAnswer = {
  readonly values: readonly (readonly [index: number, value: unknown])[]
  readonly failures: readonly (readonly [index: number, failure: ThreadFailure])[]
  /** Of the journal file: so much of its write-ahead log waits to be moved that the log mover has something to do. */
  readonly isLogLong?: true
}

/** An answer to this many groups, the oldest first; null when everything was done and has no value. */
export type ThreadAnswer = readonly [groups: number, answer: GroupAnswer | null]

export type ThreadReady = { readonly ready: true } | { readonly ready: false; readonly message: string }

export type Operations = Readonly<Record<string, (...args: never[]) => unknown>>

export const runCall = (operations: Operations, [method, ...args]: ThreadCall): unknown => {
  const operation = operations[method] as ((...args: unknown[]) => unknown) | undefined
  if (operation === undefined) throw new TypeError(`no such operation: ${method}`)
  return operation(...args)
}

export const mergeGroups = (groups: readonly GroupRequest[]): GroupRequest => {
  const [only] = groups
  if (only !== undefined && groups.length === 1) return only
  return { slots: groups.flatMap(({ slots }) => slots), calls: groups.flatMap(({ calls }) => calls) }
}
