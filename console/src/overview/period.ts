import type { GetOverviewQuery } from '../api/generated/operations.ts'

export const PERIODS = ['day', 'month', 'quarter'] as const
export type Period = (typeof PERIODS)[number]

const DAY_MS = 86_400_000
/** As far back as an overview counts, the last day among them. */
const QUARTER_DAYS = 89

export const periodOf = ({ period }: Readonly<Record<string, string>>): Period =>
  PERIODS.find((each) => each === period) ?? 'day'

/** What the service is asked for: hours of the last day, or days. */
export const spanOf = (period: Period, nowMs = Date.now()): GetOverviewQuery => {
  if (period === 'day') return { step: 'hour' }
  if (period === 'month') return { step: 'day' }
  // The same question for a whole day, so that it is asked by the clock and not at every drawing.
  const from = new Date(Math.floor(nowMs / DAY_MS - QUARTER_DAYS) * DAY_MS).toISOString()
  return { step: 'day', from }
}
