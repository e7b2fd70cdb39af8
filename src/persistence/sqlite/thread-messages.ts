import type { PackedSlots } from './slot-file/packed-slots.ts'

/** `defect`: the call itself is wrong (a broken rule of the journal, a bad value); repeating it cannot help. */
export type ThreadFailure = { readonly is: 'unknown' | 'not-applied' | 'defect'; readonly message: string }

export type ThreadCall = readonly [method: string, ...args: unknown[]]

/** What waited when it was sent, in one message. Groups that wait when the thread looks become one transaction. */
export type GroupRequest = {
  readonly slots: readonly PackedSlots[]
  readonly calls: readonly ThreadCall[]
}

/** By index in the group, the slots before the calls; what is missing was done and has nothing to say. */
export type GroupAnswer = {
  readonly values: readonly (readonly [index: number, value: unknown])[]
  readonly failures: readonly (readonly [index: number, failure: ThreadFailure])[]
}

/** To so many groups, the oldest; null: everything was done and has nothing to say. */
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
