// npm test: everything npm run verify does, then the contract, integration, cluster and end-to-end suites.
// npm test -- FILE …: these test files alone.
// npm test -- --against node-1|node-2|node-3|proxy|any [FILE …]: the end-to-end suite against a cluster of three nodes.
// npm test -- --http-engine uws|node [--against proxy] [FILE …]: the browser tests of the console on this HTTP server.
import { engineSteps } from './gate/engine-step.ts'
import { againstCluster } from './gate/against-cluster.ts'
import { onHttpEngine } from './gate/http-engine.ts'
import { endProgramsOnSignal } from './gate/run-program.ts'
import { runSteps } from './gate/run-steps.ts'
import { checks, chosenTests, slowTests, unitTests } from './gate/steps.ts'
import { addTallies, objections, remarks, tallyLine } from './gate/tally.ts'

endProgramsOnSignal()
const choice = againstCluster(onHttpEngine(process.argv.slice(2)))
const print = (text: string): void => void process.stdout.write(`${text}\n`)
const results =
  choice.length > 0
    ? await runSteps([chosenTests(choice)], 1, print)
    : [
        // The compiler of the engine uses one processor most of the time.
        ...(await runSteps([...engineSteps(), ...checks], 2, print)),
        ...(await runSteps([unitTests, slowTests], 1, print)),
      ]
const tally = addTallies(results.map((result) => result.tally))
const reasons = objections(tally, process.env['CI'] === 'true')
for (const line of [...remarks(tally), ...reasons]) print(line)
print(tallyLine(tally))
process.exitCode = reasons.length === 0 ? 0 : 1
