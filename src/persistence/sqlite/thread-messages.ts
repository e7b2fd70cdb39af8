import type { PackedSlots } from './packed-slots.ts'

/** `defect`: the call itself is wrong (a broken rule of the journal, a bad value); repeating it cannot help. */
export type ThreadFailure = { readonly is: 'unknown' | 'not-applied' | 'defect'; readonly message: string }

export type ThreadCall = readonly [method: string, ...args: unknown[]]

/** Everything that waited becomes one group: one message there, one transaction, one message back. */
export type GroupRequest = {
  readonly slots: PackedSlots | null
  readonly calls: readonly ThreadCall[]
}

/** By index in the group, the slots before the calls; what is missing was done and has nothing to say. */
export type GroupAnswer = {
  readonly values: readonly (readonly [index: number, value: unknown])[]
  readonly failures: readonly (readonly [index: number, failure: ThreadFailure])[]
}

export type ThreadReady = { readonly ready: true } | { readonly ready: false; readonly message: string }

export type Operations = Readonly<Record<string, (...args: never[]) => unknown>>

export const runCall = (operations: Operations, [method, ...args]: ThreadCall): unknown => {
  const operation = operations[method] as ((...args: unknown[]) => unknown) | undefined
  if (operation === undefined) throw new TypeError(`no such operation: ${method}`)
  return operation(...args)
}
