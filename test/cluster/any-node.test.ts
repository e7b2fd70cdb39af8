import { beforeAll, expect, inject, it } from 'vitest'
import { runProgram } from '../../tools/gate/run-program.ts'
import { ENGINES_OF } from '../engines/engines-of.ts'
import { sharedCluster } from '../engines/engines.ts'

const START_LIMIT_MS = 10 * 60_000
const LIMIT_MS = 20 * 60_000

/** The short form of `npm test -- --against any`. */
const FILES = [
  'faces-at-any-node',
  'flows',
  'lists',
  'rates',
  'streams',
  'listening',
  'webhooks',
  'routes/exchanges',
  'routes/setup',
  'routes/wallets',
]

// No limit of a test is spent on its start.
beforeAll(async () => void (await sharedCluster()), START_LIMIT_MS)

it(
  'the end-to-end suite passes on three nodes, when each request goes to the next of them',
  async () => {
    const files = FILES.map((file) => `test/e2e/${file}.test.ts`)
    const command = ['vitest', 'run', ...files, '--maxWorkers=1', '--silent=passed-only']
    const environment = { E2E_AGAINST: 'any', E2E_BRIEF: 'true', [ENGINES_OF]: inject('engines') }
    const { code, output, survivors } = await runProgram({ command, environment, timeoutMs: LIMIT_MS })
    expect(code, output.slice(-20_000)).toBe(0)
    expect(survivors).toEqual([])
  },
  LIMIT_MS + 60_000,
)
