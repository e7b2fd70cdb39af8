import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { runProgram } from './run-program.ts'
import type { Step } from './steps.ts'
import { tallyOfCargo } from './tally.ts'

const timeoutMs = 20 * 60_000
const folder = fileURLToPath(new URL('../../native/cl-engine/', import.meta.url))

/** The signature engine's own tests, where Rust is at hand to build it; timing is measured on idle machines only. */
export const engineSteps = (cargo = 'cargo'): readonly Step[] =>
  spawnSync(cargo, ['--version']).status === 0 ? [engineTests(cargo)] : []

const engineTests = (cargo: string): Step => ({
  name: 'engine',
  run: async () => {
    const command = [cargo, 'test', '--release', '--locked', '--test', 'suite']
    const outcome = await runProgram({ command, timeoutMs, folder })
    const tally = tallyOfCargo(outcome.output, outcome.ok)
    return { name: 'engine', ...outcome, ok: tally.failed === 0, tally }
  },
})
