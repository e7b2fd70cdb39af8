/** Where the requests of a test go when the suite runs against the shared cluster; `any` is the next node each time. */
export const targets = ['node-1', 'node-2', 'node-3', 'proxy', 'any'] as const
export type Target = (typeof targets)[number]

/** Null where each test starts a service of its own, as ever. */
export const against: Target | null = targetOf(process.env['E2E_AGAINST'] ?? '')

/** The HTTP server that services of the test's own, or all nodes, are started with; null where nobody asks for one. */
export const httpEngine: 'uws' | 'node' | null = engineOf(process.env['E2E_HTTP_ENGINE'] ?? '')

function engineOf(text: string): 'uws' | 'node' | null {
  if (text === '') return null
  if (text !== 'uws' && text !== 'node') throw new Error(`E2E_HTTP_ENGINE is uws or node, not ${text}`)
  return text
}

function targetOf(text: string): Target | null {
  if (text === '') return null
  const found = targets.find((each) => each === text)
  if (found === undefined) throw new Error(`E2E_AGAINST is one of ${targets.join(', ')}, not ${text}`)
  return found
}
