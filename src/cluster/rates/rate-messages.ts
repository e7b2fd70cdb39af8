import type { Rate, RateDecision } from '../../timing/rate-windows.ts'

export const TAKE = 'rates.take'
export const GIVE_BACK = 'rates.give-back'
export const HAND_OVER_WINDOWS = 'rates.hand-over'

/** What a node has done with places that were lent to it: how long ago each use was, in their order. */
export type Used = { readonly loan: string; readonly agesMs: readonly number[]; readonly isOver: boolean }

/** The same, so much later. */
export const olderBy = (used: Used, ms: number): Used => {
  return { ...used, agesMs: used.agesMs.map((ageMs) => ageMs + ms) }
}

export type Take = {
  /** The same for each try of one question. */
  readonly id: string
  readonly key: string
  readonly rate: Rate
  /** Places that the node would like to have ahead; null where it only tells what it used. */
  readonly wish: number | null
  readonly used: Used | null
}

export type Loan = { readonly id: string; readonly places: number; readonly forMs: number }

export type TakeAnswer =
  | { readonly is: 'decided'; readonly decision: RateDecision; readonly loan: Loan | null }
  | { readonly is: 'told' }
  | { readonly is: 'elsewhere'; readonly mapVersion: number }

export type GiveBack = { readonly key: string; readonly loans: readonly string[] }

export type HandedLoan = Loan & { readonly node: string; readonly told: number }

export type HandedWindow = {
  readonly key: string
  readonly rate: Rate
  readonly agesMs: readonly number[]
  readonly loans: readonly HandedLoan[]
}

export type HandedWindows = {
  readonly shard: number
  readonly epoch: number
  readonly windows: readonly HandedWindow[]
}
