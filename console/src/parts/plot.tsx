import { useState } from 'preact/hooks'
import { exactTime, fill, minuteOfDay, numberText, texts } from '../texts/texts.ts'
import { Table } from './table.tsx'

/** One of the counts that stand upon each other, from the bottom up. */
export type PlotSeries = {
  readonly name: string
  readonly look: 'good' | 'bad'
  readonly counts: readonly number[]
}

type PlotProps = {
  readonly label: string
  readonly series: readonly PlotSeries[]
  /** Where the first count begins, and where the last one ends. */
  readonly from: string
  readonly to: string
}

const said = texts.plot

/** Counts over time as columns, and as a table for whoever does not see them. */
export const Plot = ({ label, series, from, to }: PlotProps) => {
  const length = series[0]?.counts.length ?? 0
  const [begin, end] = [Date.parse(from), Date.parse(to)]
  const beginnings = Array.from({ length }, (_, index) =>
    new Date(begin + ((end - begin) / length) * index).toISOString(),
  )
  const sums = beginnings.map((_, index) => series.reduce((sum, { counts }) => sum + (counts[index] ?? 0), 0))
  const highest = Math.max(0, ...sums)
  return (
    <figure class="plot">
      <figcaption class="row apart small">
        <ul class="row legend">
          {series.map(({ name, look }) => (
            <li key={name} class={look}>
              {name}
            </li>
          ))}
        </ul>
        <span class="quiet">{fill(said.highest, { count: numberText(highest) })}</span>
      </figcaption>
      <svg viewBox={`0 0 ${length} 100`} preserveAspectRatio="none" role="img" aria-label={label}>
        {highest > 0 &&
          beginnings.map((at, index) => (
            <Column key={at} at={at} index={index} series={series} scale={100 / highest} />
          ))}
      </svg>
      <div class="row apart small quiet" aria-hidden="true">
        <span>{minuteOfDay(from)}</span>
        <span>{minuteOfDay(to)}</span>
      </div>
      <AsTable label={label} series={series} beginnings={beginnings} />
    </figure>
  )
}

type AsTableProps = Pick<PlotProps, 'label' | 'series'> & { readonly beginnings: readonly string[] }

/** Drawn when it is opened. */
const AsTable = ({ label, series, beginnings }: AsTableProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary class="small">{said.asTable}</summary>
      {isOpen && (
        <Table
          label={label}
          items={beginnings.map((at, index) => ({ at, index }))}
          keyOf={({ at }) => at}
          columns={[
            { title: said.from, cell: ({ at }) => exactTime(at) },
            ...series.map(({ name, counts }) => ({
              title: name,
              cell: ({ index }: { readonly index: number }) => numberText(counts[index] ?? 0),
              look: 'number' as const,
            })),
          ]}
        />
      )}
    </details>
  )
}

type ColumnProps = {
  readonly at: string
  readonly index: number
  readonly series: readonly PlotSeries[]
  readonly scale: number
}

const Column = ({ at, index, series, scale }: ColumnProps) => {
  let bottom = 100
  const parts = series.map(({ name, look, counts }) => {
    const height = (counts[index] ?? 0) * scale
    bottom -= height
    return <rect key={name} class={look} x={index + 0.1} y={bottom} width={0.8} height={height} />
  })
  const shown = series.map(({ name, counts }) => `${numberText(counts[index] ?? 0)} ${name}`).join(', ')
  return (
    <g>
      <title>{fill(said.column, { at: exactTime(at), shown })}</title>
      {parts}
    </g>
  )
}
