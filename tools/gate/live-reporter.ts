import type { Reporter, TestCase, TestModule } from 'vitest/node'

const PATIENCE_MS = 120_000
const EXIT_OUTSIDE = 3

type Problem = {
  readonly message: string
  readonly stack?: string | undefined
  readonly diff?: string | undefined
}

/**
 * A line for each file as it ends, with everything about a failure at once: a run that is cut off, or that hangs, has
 * then said what it knows, and names the files it waits for.
 */
export default class LiveReporter implements Reporter {
  readonly #print: (line: string) => void
  readonly #running = new Map<string, number>()
  #watch: NodeJS.Timeout | undefined

  constructor(_options?: unknown, print = (line: string): void => void process.stdout.write(`${line}\n`)) {
    this.#print = print
  }

  onTestRunStart(): void {
    this.#watch = setInterval(() => this.#nameTheSlow(), PATIENCE_MS)
    this.#watch.unref()
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.set(module.relativeModuleId, performance.now())
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(module.relativeModuleId)
    const tests = [...module.children.allTests()]
    const seconds = (module.diagnostic().duration / 1_000).toFixed(1)
    const mark = module.ok() ? 'ok    ' : 'FAILED'
    this.#print(
      `${mark}  ${seconds.padStart(6)} s  ${String(tests.length).padStart(4)}  ${module.relativeModuleId}`,
    )
    for (const suite of module.children.allSuites()) this.#describe(suite.fullName, suite.errors())
    this.#describe(module.relativeModuleId, module.errors())
    for (const test of tests) this.#describe(test.fullName, errorsOf(test))
  }

  onTestRunEnd(_modules: unknown, errors: readonly Problem[]): void {
    clearInterval(this.#watch)
    // The report has no place for them; `second-look.ts` goes by this.
    if (errors.length > 0) process.exitCode = EXIT_OUTSIDE
    this.#describe('outside of every test', errors)
  }

  #describe(where: string, errors: readonly Problem[]): void {
    for (const { message, diff = '', stack = '' } of errors) {
      this.#print(`  ✗ ${where}`)
      const lines = [message, diff, stack].join('\n').split('\n').filter(isTelling)
      for (const line of lines) this.#print(`      ${line}`)
    }
  }

  #nameTheSlow(): void {
    const now = performance.now()
    const slow = [...this.#running].filter(([, since]) => now - since > PATIENCE_MS).map(([file]) => file)
    if (slow.length > 0) this.#print(`still running after ${PATIENCE_MS / 1_000} s: ${slow.join(', ')}`)
  }
}

const isTelling = (line: string): boolean => line.trim() !== '' && !/^\s+at .*node_modules/.test(line)

const errorsOf = (test: TestCase): readonly Problem[] => test.result().errors ?? []
