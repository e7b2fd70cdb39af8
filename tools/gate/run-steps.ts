import pLimit from 'p-limit'
import type { Step, StepResult } from './steps.ts'

/** Runs the steps, `width` at a time, and prints a line for each as it ends, with its output when it failed. */
export async function runSteps(
  steps: readonly Step[],
  width: number,
  print: (text: string) => void,
): Promise<StepResult[]> {
  return pLimit(width).map(steps, async (step) => {
    const result = await step.run()
    print(renderResult(result))
    return result
  })
}

function renderResult(result: StepResult): string {
  const { passed } = result.tally
  const count = passed > 0 ? `  ${passed} passed` : ''
  const line = `${result.ok ? 'ok    ' : 'FAILED'}  ${result.name.padEnd(12)}  ${result.seconds.toFixed(1).padStart(5)} s${count}`
  return result.ok || result.output === '' ? line : `${line}\n${indent(result.output)}\n`
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line.trim() === '' ? '' : `    ${line}`))
    .join('\n')
}
