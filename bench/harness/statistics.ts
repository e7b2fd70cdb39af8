export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** Linear interpolation between the two nearest ranks; `rank` from 0 to 100. */
export function percentile(values: readonly number[], rank: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  const position = ((sorted.length - 1) * rank) / 100
  const below = sorted[Math.floor(position)]
  const above = sorted[Math.ceil(position)]
  if (below === undefined || above === undefined) throw new Error('a percentile of no values')
  return below + (above - below) * (position - Math.floor(position))
}
