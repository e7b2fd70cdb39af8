// npm run verify: types, lint, format, dead code, tidy, the API description, unit tests.
import { endProgramsOnSignal } from './gate/run-program.ts'
import { runSteps } from './gate/run-steps.ts'
import { checks, unitTests } from './gate/steps.ts'

endProgramsOnSignal()
const startedAt = performance.now()
const print = (text: string): void => void process.stdout.write(`${text}\n`)
const results = [...(await runSteps(checks, 2, print)), ...(await runSteps([unitTests], 1, print))]
const failed = results.filter((result) => !result.ok).map((result) => result.name)
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
print(
  failed.length === 0 ? `\nVerified in ${seconds} s.` : `\nFailed after ${seconds} s: ${failed.join(', ')}.`,
)
process.exitCode = failed.length === 0 ? 0 : 1
