import { useLocation } from 'preact-iso'
import { texts } from '../texts/texts.ts'
import { type Period, PERIODS } from './period.ts'

const said = texts.overview

/** Stands in the address, as everything that is shown does. */
export const PeriodChoice = ({ chosen }: { readonly chosen: Period }) => {
  const { path } = useLocation()
  return (
    <nav class="row periods" aria-label={said.period}>
      {PERIODS.map((period) => (
        <a
          key={period}
          class="button small"
          href={period === 'day' ? path : `${path}?period=${period}`}
          aria-current={period === chosen ? 'true' : undefined}
        >
          {said.periods[period]}
        </a>
      ))}
    </nav>
  )
}
