import type { Problem } from '../api/problem.ts'

/** The sentence for a field that the service objects to, by the name that the API gives the field. */
export const faultAt = (problem: Problem | null, field: string): string | null => {
  if (problem?.error !== 'invalid_request') return null
  const [place = ''] = problem.reason.split(' ')
  return place === field || place.startsWith(`${field}.`) ? problem.reason : null
}

/** What no field of a form can show is said beside it. */
export const besideFields = (problem: Problem | null, fields: readonly string[]): Problem | null =>
  fields.some((field) => faultAt(problem, field) !== null) ? null : problem
