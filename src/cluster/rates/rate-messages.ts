import { SHARD_COUNT } from '../../domain/references.ts'
import type { Rate, RateDecision } from '../../timing/rate-windows.ts'
import { decode } from '../json-bytes.ts'
import { isCount, isList, isObject, isText, isTime } from '../message-fields.ts'

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

/** Throws on what no node of ours sends: windows of it would count a key wrongly for as long as they last. */
export const readHandedWindows = (bytes: Uint8Array): HandedWindows => {
  const message = decode(bytes)
  if (!isHandedWindows(message)) throw new SyntaxError('windows that are handed over cannot be read')
  return message
}

const isHandedWindows = (value: unknown): value is HandedWindows =>
  isObject(value) &&
  isCount(value['shard']) &&
  value['shard'] < SHARD_COUNT &&
  isCount(value['epoch']) &&
  isList(value['windows'], isWindow)

const isWindow = (value: unknown): value is HandedWindow =>
  isObject(value) &&
  isText(value['key']) &&
  isRate(value['rate']) &&
  isList(value['agesMs'], isTime) &&
  isList(value['loans'], isLoan)

const isRate = (value: unknown): value is Rate =>
  isObject(value) && isTime(value['max']) && isTime(value['windowMs'])

const isLoan = (value: unknown): value is HandedLoan =>
  isObject(value) &&
  isText(value['id']) &&
  isText(value['node']) &&
  isCount(value['places']) &&
  isCount(value['told']) &&
  isTime(value['forMs'])
