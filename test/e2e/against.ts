/** Where the requests of a test go when the suite runs against the shared cluster; `any` is the next node each time. */
export const targets = ['node-1', 'node-2', 'node-3', 'proxy', 'any'] as const
export type Target = (typeof targets)[number]

/** Null where each test starts a service of its own, as ever. */
export const against: Target | null = targetOf(process.env['E2E_AGAINST'] ?? '')

function targetOf(text: string): Target | null {
  if (text === '') return null
  const found = targets.find((each) => each === text)
  if (found === undefined) throw new Error(`E2E_AGAINST is one of ${targets.join(', ')}, not ${text}`)
  return found
}
