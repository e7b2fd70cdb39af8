import { parseArgs } from 'node:util'
import { runSchedule } from './schedule.ts'
import { asBuilt } from './variants.ts'

const { values } = parseArgs({
  options: {
    schedules: { type: 'string', default: '1000' },
    'from-seed': { type: 'string', default: '1' },
    seed: { type: 'string' },
  },
})

if (values.seed !== undefined) {
  const result = await runSchedule(Number(values.seed), asBuilt, true)
  console.log(result.trace?.join('\n'))
  console.log(result.violation ?? 'no violation', result.steps, 'steps', result.slots, 'slots')
} else {
  const started = performance.now()
  let steps = 0
  let slots = 0
  const from = Number(values['from-seed'])
  for (let seed = from; seed < from + Number(values.schedules); seed++) {
    const result = await runSchedule(seed, asBuilt, false)
    steps += result.steps
    slots += result.slots
    if (result.violation !== null) console.log(seed, result.violation.message)
  }
  console.log({ seconds: (performance.now() - started) / 1000, steps, slots })
}
