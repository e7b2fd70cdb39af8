import { textOf } from '../bytes.ts'
import type { Change, Row } from '../ports.ts'
import { WalletError } from '../wallet-error.ts'
import type { Seal } from './sealed-rows.ts'
import { storageProblem } from './storage-problem.ts'

/** The row that says in which format a wallet is kept; it is not sealed. */
export const FORMAT_ROW = { kind: 'format', id: 'format' } as const

export const FORMAT = 2

type Upgrade = {
  readonly to: number
  /** What changes; all of it is stored at once, together with the number of the new format. */
  readonly changes: (rows: readonly Row[], seal: Seal) => readonly Change[]
}

/**
 * From each format to the next. A format that was ever stored stays here, with a stored wallet in the tests.
 *
 * 1: rows in clear, as the wallet of the tests kept them.
 * 2: rows sealed with a key from the key chain.
 */
const upgrades: readonly Upgrade[] = [
  {
    to: 2,
    changes: (rows, seal) =>
      rows
        .filter(({ kind }) => kind !== FORMAT_ROW.kind)
        .map((row) => ({ ...row, content: seal.close(row.kind, row.id, clearText(row)) })),
  },
]

const clearText = ({ kind, content }: Row): string => {
  try {
    return textOf(content)
  } catch (error) {
    throw storageProblem('storage_damaged', `a row of the kind ${kind} is damaged`, error)
  }
}

/** The format of stored rows; null where nothing is stored. */
export const formatOf = (rows: readonly Row[]): number | null => {
  const row = rows.find(({ kind }) => kind === FORMAT_ROW.kind)
  if (row === undefined) return rows.length === 0 ? null : 1
  const format = Number(clearText(row))
  if (!Number.isSafeInteger(format) || format < 1)
    throw storageProblem('storage_damaged', 'the wallet does not say in which format it is stored')
  if (format <= FORMAT) return format
  throw new WalletError('Internal', 'the wallet was stored by a newer version of the app', {
    code: 'storage_newer',
  })
}

/** The rows as the newest format has them, with the changes that make them so. */
export const upgraded = (
  rows: readonly Row[],
  from: number,
  seal: Seal,
): { readonly rows: readonly Row[]; readonly changes: readonly Change[] } => {
  const kept = new Map(rows.map((row) => [`${row.kind}\n${row.id}`, row]))
  const changes = new Map<string, Change>()
  for (const upgrade of upgrades.filter(({ to }) => to > from))
    for (const change of upgrade.changes([...kept.values()], seal)) {
      const { content } = change
      const place = `${change.kind}\n${change.id}`
      changes.set(place, change)
      if (content === null) kept.delete(place)
      else kept.set(place, { ...change, content })
    }
  return { rows: [...kept.values()], changes: [...changes.values()] }
}
