/** A line of a table, with the number that an editor shows for it. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] }

const MARK = '\u{FEFF}'
const SEPARATORS = [',', ';', '\t'] as const

/** What a spreadsheet takes for a formula, in cells that others may have filled. */
const FORMULA = /^'*[=+\-@\t\r]/
/**
 * The same inside a cell, behind what ends one where lists are separated by semicolons: a spreadsheet there reads our
 * commas as letters, and the quotes of every cell but the first with them.
 */
const FORMULA_BEHIND = /([;\r\n][ "]*)('*[=+\-@])/g
const MARKED_BEHIND = /([;\r\n][ "]*)'('*[=+\-@])/g

/** A text that a spreadsheet shows as a text; `plainCell` gives back what it was. */
const safeCell = (text: string): string => {
  const inside = text.replaceAll(FORMULA_BEHIND, "$1'$2")
  return FORMULA.test(text) ? `'${inside}` : inside
}
const plainCell = (text: string): string => {
  const inside = text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text
  return inside.replaceAll(MARKED_BEHIND, '$1$2')
}

/** A table as a file that spreadsheets open: every cell in quotes, none of them a formula. */
export const writeCsv = (rows: readonly (readonly string[])[]): string =>
  MARK +
  rows
    .map((cells) => cells.map((cell) => `"${safeCell(cell).replaceAll('"', '""')}"`).join(','))
    .join('\r\n') +
  '\r\n'

/** The rows of a file, without empty ones, one after the other; the separator is the one that the first line has most of. */
export function* csvRows(file: string): Generator<CsvRow> {
  const text = file.startsWith(MARK) ? file.slice(MARK.length) : file
  const separator = separatorOf(text)
  let at = 0
  let line = 1
  while (at < text.length) {
    const row: string[] = []
    const begin = line
    let isRowOver = false
    while (!isRowOver) {
      const cell = text[at] === '"' ? quotedCell(text, at, separator) : bareCell(text, at, separator)
      row.push(plainCell(cell.text))
      line += cell.lines
      at = cell.end
      isRowOver = text[at] !== separator
      if (!isRowOver) at += 1
    }
    // Whatever ends the row: CR, LF, both, or the end of the file.
    if (text[at] === '\r' && text[at + 1] === '\n') at += 1
    at += 1
    line += 1
    if (row.some((cell) => cell.trim() !== '')) yield { line: begin, cells: row }
  }
}

const separatorOf = (text: string): string => {
  const amounts = new Map<string, number>(SEPARATORS.map((each) => [each, 0]))
  let isQuoted = false
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (letter === '\n' || letter === '\r') break
    if (amounts.has(letter)) amounts.set(letter, (amounts.get(letter) ?? 0) + 1)
  }
  const [most] = [...amounts].toSorted(([, one], [, other]) => other - one)
  return most?.[0] ?? ','
}

type Cell = { readonly text: string; readonly end: number; readonly lines: number }

const bareCell = (text: string, from: number, separator: string): Cell => {
  let end = from
  while (end < text.length && text[end] !== separator && text[end] !== '\n' && text[end] !== '\r') end += 1
  return { text: text.slice(from, end), end, lines: 0 }
}

/** Two quotes are one; what stands behind the last quote belongs to the cell as it stands. */
const quotedCell = (text: string, from: number, separator: string): Cell => {
  let end = from + 1
  while (end < text.length && (text[end] !== '"' || text[end + 1] === '"')) end += text[end] === '"' ? 2 : 1
  const inside = text.slice(from + 1, end).replaceAll('""', '"')
  const behind = bareCell(text, end + 1, separator)
  return { text: inside + behind.text, end: behind.end, lines: inside.split('\n').length - 1 }
}
