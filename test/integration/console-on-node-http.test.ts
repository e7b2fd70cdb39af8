import { expect, inject, it } from 'vitest'
import { ENGINES_OF } from '../engines/engines-of.ts'
import { runJobs } from './console/parts/job-files.ts'

const LIMIT_MS = 20 * 60_000

it(
  'the jobs of the console are done on the HTTP server of Node too',
  async () => {
    const environment = { E2E_HTTP_ENGINE: 'node', [ENGINES_OF]: inject('engines') }
    const jobs = ['first-credential', 'live', 'many-offers', 'session'] as const
    const { code, output, survivors } = await runJobs(jobs, environment, LIMIT_MS)
    expect(code, output.slice(-20_000)).toBe(0)
    expect(survivors).toEqual([])
  },
  LIMIT_MS + 60_000,
)
