/**
 * The only fields that a log line can have: ids, states, codes, counts and times, and nothing that a caller wrote
 * freely. A field that is not listed here, or has another type, is dropped, not printed.
 */
export const logFields = {
  requestId: 'string',
  method: 'string',
  route: 'string',
  status: 'number',
  durationMs: 'number',
  bytesIn: 'number',
  bytesOut: 'number',
  code: 'string',
  tenantId: 'string',
  actor: 'string',
  kind: 'string',
  shard: 'number',
  node: 'string',
  part: 'string',
  engine: 'string',
  url: 'string',
  count: 'number',
  error: 'error',
} as const

type Shapes = { string: string; number: number; error: unknown }

export type LogFields = {
  readonly [Name in keyof typeof logFields]?: Shapes[(typeof logFields)[Name]] | null | undefined
}

const TEXT_CHARACTERS_MAX = 300

/**
 * Keeps the allowed fields. It checks every line at run time, so that code which circumvents the compiler cannot leak
 * either.
 */
export const safeFields = (fields: LogFields): Record<string, unknown> => {
  const kept: Record<string, unknown> = {}
  for (const name in fields) {
    const shape = logFields[name as keyof typeof logFields] as keyof Shapes | undefined
    const value = fields[name as keyof LogFields]
    if (shape === undefined || value === undefined || value === null) continue
    if (shape === 'error') kept.error = safeError(value)
    else if (shape === 'number' && typeof value === 'number') kept[name] = value
    else if (shape === 'string' && typeof value === 'string') kept[name] = value.slice(0, TEXT_CHARACTERS_MAX)
  }
  return kept
}

/**
 * The origin of an error without its message, because messages quote input (JSON.parse does) or statements with values.
 * System errors keep their code, call, address and port, which are never personal.
 */
const safeError = (error: unknown, depth = 0): unknown => {
  if (!(error instanceof Error)) return { name: typeof error }
  const system = error as NodeJS.ErrnoException & { address?: unknown; port?: unknown }
  const kept: Record<string, unknown> = { name: error.name, at: frames(error) }
  for (const key of ['code', 'syscall', 'address', 'port'] as const) {
    const value = system[key]
    if (typeof value === 'number' || (typeof value === 'string' && value.length <= 64)) kept[key] = value
  }
  if (error.cause !== undefined && depth < 3) kept.cause = safeError(error.cause, depth + 1)
  return kept
}

const frames = (error: Error): string[] =>
  (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, 8)
    .map((line) => line.trim().slice(3))
