import type { Answer } from './service-call.ts'

// What the service answers about nodes and shards, in the words of a terminal.

type Shard = {
  readonly number: number
  readonly owner: string | null
  readonly desired: string | null
  readonly moving: boolean
  readonly pinned: boolean
  readonly load: { readonly eventsPerSecond: number; readonly residents: number } | null
  readonly eventsBehind?: number
}
type Node = {
  readonly id: string
  readonly address: string
  readonly status: string
  readonly part: string | null
  readonly current: boolean
  readonly shards: number
  readonly shardsToCome: number
  readonly load: number | null
}
export type Moves = {
  readonly version: number
  readonly frozen: boolean
  readonly moving: readonly Moving[]
  readonly toCome: readonly Moving[]
}
type Moving = { readonly shard: number; readonly from: string | null; readonly to: string | null }
export type Plan = {
  readonly version: number
  readonly moves: readonly (Moving & { readonly reason: string })[]
  readonly nodes: readonly { readonly node: string; readonly before: number; readonly after: number }[]
  readonly expectedPauseMs: number
  readonly pauseIsMeasured: boolean
}

const NOBODY = '(no node)'

export const nodesText = ({ items }: Answer): string => inColumns((items as readonly Node[]).map(nodeCells))

export const nodeText = (answer: Answer): string => inColumns([nodeCells(answer as Node)])

const nodeCells = ({ id, address, status, part, current, shards, shardsToCome, load }: Node) => [
  id,
  status,
  part ?? 'no part',
  shardsToCome === 0 ? `${shards} shards` : `${shards} shards, ${shardsToCome} to come`,
  load === null ? '' : `load ${load.toFixed(2)}`,
  current ? `${address} (this node)` : address,
]

export const shardsText = ({ items }: Answer): string =>
  inColumns((items as readonly Shard[]).map(shardCells))

export const shardText = (answer: Answer): string => inColumns([shardCells(answer as Shard)])

const shardCells = ({ number, owner, desired, moving, pinned, load, eventsBehind = 0 }: Shard) => [
  String(number),
  moving ? way({ from: owner, to: desired }) : (owner ?? NOBODY),
  pinned ? 'pinned' : '',
  load === null ? '' : `${load.eventsPerSecond.toFixed(1)} events/s`,
  load === null ? '' : `${load.residents} in memory`,
  eventsBehind === 0 ? '' : `${eventsBehind} behind`,
]

/** Moves of the same way stand in one line, because a plan may have hundreds. */
export const planText = ({ version, moves, nodes, expectedPauseMs, pauseIsMeasured }: Plan): string => {
  if (moves.length === 0) return `Nothing is to be moved (map ${version}).`
  const ways = Map.groupBy(moves, (move) => `${way(move)} (${move.reason})`)
  const shares = nodes.map(({ node, before, after }) => [
    node,
    `load ${before.toFixed(2)} → ${after.toFixed(2)}`,
  ])
  const pause = pauseIsMeasured ? 'as measured here lately' : 'not measured here yet'
  return [
    `${shardsIn(moves.length)} would move (map ${version}); a request for one waits ${expectedPauseMs} ms at most while it moves, ${pause}.`,
    ...[...ways].map(([of, alike]) => `  ${of}: ${alike.map(({ shard }) => shard).join(', ')}`),
    ...inColumns(shares)
      .split('\n')
      .map((line) => `  ${line}`),
  ].join('\n')
}

export const movesText = ({ version, frozen, moving, toCome }: Moves): string => {
  const map = `map ${version}${frozen ? ', frozen' : ''}`
  if (moving.length + toCome.length === 0) return `Nothing moves (${map}).`
  const ways = Map.groupBy(moving, way)
  return [
    `${shardsIn(moving.length)} moving, ${toCome.length} to come (${map}).`,
    ...[...ways].map(([of, alike]) => `  ${of}: ${alike.map(({ shard }) => shard).join(', ')}`),
  ].join('\n')
}

export const shardsIn = (count: number): string => (count === 1 ? '1 shard' : `${count} shards`)

const way = ({ from, to }: Pick<Moving, 'from' | 'to'>): string => `${from ?? NOBODY} → ${to ?? NOBODY}`

const inColumns = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
