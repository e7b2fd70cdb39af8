/** A part of a node that is looked at; `detail` says more, without texts of others. */
export type PartHealth = {
  readonly name: string
  readonly isUp: boolean
  readonly detail: string | null
}

/** How one node is. Null in place of what it did not say. */
export type NodeHealth = {
  readonly node: string
  readonly isReached: boolean
  readonly isDraining: boolean | null
  readonly startedAtMs: number | null
  readonly parts: readonly PartHealth[]
  readonly figures: Readonly<Record<string, number | null>> | null
}
