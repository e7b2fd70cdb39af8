import type { Bars, Figures, TableRow } from './benchmark.ts'
import type { Machine } from './machine.ts'

type JudgedBar = {
  readonly name: string
  readonly value: number | null
  readonly at_least?: number
  readonly at_most?: number
  readonly ok: boolean
}

export type Report = {
  readonly name: string
  readonly machine: Machine
  readonly figures: Figures
  readonly bars: readonly JudgedBar[]
}

/** A bar without a figure, or with one that is no number, is missed. */
export function judge(bars: Bars, figures: Figures): JudgedBar[] {
  return Object.entries(bars).map(([name, bar]) => {
    const found = figures[name]
    const value = found !== undefined && Number.isFinite(found) ? found : null
    return 'atLeast' in bar
      ? { name, value, at_least: bar.atLeast, ok: value !== null && value >= bar.atLeast }
      : { name, value, at_most: bar.atMost, ok: value !== null && value <= bar.atMost }
  })
}

export function renderReport(report: Report): string {
  const bars = new Map(report.bars.map((bar) => [bar.name, bar]))
  const names = new Set([...Object.keys(report.figures), ...bars.keys()])
  const rows = [...names].map((name) => {
    const bar = bars.get(name)
    const value = report.figures[name]
    return {
      figure: name,
      value: value === undefined ? 'not measured' : value,
      bar: bar ? renderBar(bar) : '',
    }
  })
  const { cpu, cores, memory_gb, platform, node } = report.machine
  const machine = `${cpu}, ${cores} cores, ${memory_gb} GB, ${platform}, Node ${node}`
  return `${renderTable(report.name, rows)}\n${machine}`
}

function renderBar(bar: JudgedBar): string {
  const limit = bar.at_least === undefined ? `≤ ${bar.at_most}` : `≥ ${bar.at_least}`
  return `${limit} ${bar.ok ? 'ok' : 'MISSED'}`
}

export function renderTable(title: string, rows: readonly TableRow[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => columns.map((column) => renderCell(row[column])))
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((line) => line[index]?.length ?? 0)),
  )
  const numeric = columns.map((column) => rows.some((row) => typeof row[column] === 'number'))
  const renderLine = (line: readonly string[]): string =>
    line
      .map((cell, index) =>
        numeric[index] ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd()
  const rule = widths.map((width) => '─'.repeat(width)).join('  ')
  return [title, renderLine(columns), rule, ...cells.map(renderLine)].join('\n')
}

function renderCell(value: string | number | undefined): string {
  if (value === undefined) return ''
  return typeof value === 'number' ? renderNumber(value) : value
}

/** Four significant digits below a thousand, whole numbers with separators above. */
function renderNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString('en')
  return String(Number(value.toPrecision(4)))
}
