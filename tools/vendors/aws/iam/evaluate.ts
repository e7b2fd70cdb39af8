import type { Condition, PolicyDocument, Statement } from './policy-document.ts'

/** What somebody wants to do. */
export type Access = {
  readonly action: string
  /** An ARN, or `*` for an action that knows no resources. */
  readonly resource: string
  /** Keys in lower case. */
  readonly context: Readonly<Record<string, string>>
}

export type Verdict = 'allowed' | 'not allowed' | 'denied'

/** A denial wins over every allowance, and what nothing allows is not allowed. */
export const verdictOf = (policies: readonly PolicyDocument[], access: Access): Verdict =>
  verdictOfStatements(
    policies
      .flatMap(({ statements }) => statements)
      .filter(({ resources }) => covers(resources, access.resource)),
    access,
  )

/** As above, for statements that are known to be about this resource. */
export const verdictOfStatements = (statements: readonly Statement[], access: Access): Verdict => {
  const met = statements.filter(
    ({ actions, conditions }) =>
      actions.some((pattern) => isLike(pattern.toLowerCase(), access.action.toLowerCase())) &&
      conditions.every((condition) => holds(condition, access.context[condition.key])),
  )
  if (met.some(({ effect }) => effect === 'Deny')) return 'denied'
  return met.length > 0 ? 'allowed' : 'not allowed'
}

const covers = (patterns: readonly string[], resource: string): boolean =>
  patterns.some((pattern) => isLike(pattern, resource))

/** Conditions of one statement hold all, values of one condition hold one by one. */
function holds({ operator, values }: Condition, given: string | undefined): boolean {
  switch (operator) {
    case 'StringEquals':
      return given !== undefined && values.includes(given)
    case 'StringNotEquals':
      return given === undefined || !values.includes(given)
    case 'StringLike':
      return given !== undefined && values.some((pattern) => isLike(pattern, given))
    case 'Bool':
      return given !== undefined && values.some((value) => value.toLowerCase() === given)
  }
}

/** `*` stands for any text, `?` for one character. */
function isLike(pattern: string, text: string): boolean {
  const escaped = pattern.replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's').test(text)
}
