import { beforeAll, expect, inject, it } from 'vitest'
import { ENGINES_OF } from '../engines/engines-of.ts'
import { sharedCluster } from '../engines/engines.ts'
import { runJobs } from '../integration/console/parts/job-files.ts'

const START_LIMIT_MS = 10 * 60_000
const LIMIT_MS = 25 * 60_000

// No limit of a test is spent on its start.
beforeAll(async () => void (await sharedCluster()), START_LIMIT_MS)

it(
  'the jobs of the console are done behind the proxy of three nodes, which serve them in turn on both HTTP servers',
  async () => {
    const environment = { E2E_AGAINST: 'proxy', E2E_BRIEF: 'true', [ENGINES_OF]: inject('engines') }
    const jobs = ['first-credential', 'live', 'operating', 'people', 'watching'] as const
    const { code, output, survivors } = await runJobs(jobs, environment, LIMIT_MS)
    expect(code, output.slice(-20_000)).toBe(0)
    expect(survivors).toEqual([])
  },
  LIMIT_MS + 60_000,
)
