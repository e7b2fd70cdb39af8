import { expect, inject, it } from 'vitest'
import { runProgram } from '../../tools/gate/run-program.ts'
import { ENGINES_OF } from '../engines/engines-of.ts'

const LIMIT_MS = 20 * 60_000

/** The short form of `npm test -- --against any`. */
const FILES = ['flows', 'lists', 'streams', 'webhooks', 'routes/exchanges', 'routes/setup', 'routes/wallets']

it(
  'the end-to-end suite passes on three nodes, when each request goes to the next of them',
  async () => {
    const command = [
      'vitest',
      'run',
      ...FILES.map((file) => `test/e2e/${file}.test.ts`),
      '--maxWorkers=1',
      '--reporter=default',
      '--silent=passed-only',
    ]
    const environment = { E2E_AGAINST: 'any', E2E_BRIEF: 'true', [ENGINES_OF]: inject('engines') }
    const { code, output, survivors } = await runProgram({ command, environment, timeoutMs: LIMIT_MS })
    expect(code, output.slice(-20_000)).toBe(0)
    expect(survivors).toEqual([])
  },
  LIMIT_MS + 60_000,
)
