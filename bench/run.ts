// npm run bench -- NAME [options] [--quick] [--json]
import { readdirSync } from 'node:fs'
import type { Benchmark, Figures } from './harness/benchmark.ts'
import { describeMachine } from './harness/machine.ts'
import { optionRows, type ParsedOptions, parseOptions, UsageError } from './harness/options.ts'
import { judge, type Report, renderReport, renderTable } from './harness/report.ts'

const folder = new URL('./', import.meta.url)

process.exitCode = await main(process.argv.slice(2))

async function main([name, ...args]: readonly string[]): Promise<number> {
  try {
    if (name === undefined || name.startsWith('-')) return await listBenchmarks()
    const benchmark = await loadBenchmark(name)
    const options = parseOptions(benchmark.options, args)
    if (options.help) return showHelp(name, benchmark)
    const bars = typeof benchmark.bars === 'function' ? benchmark.bars(options.values) : benchmark.bars
    const notes: string[] = []
    const figures = await runBenchmark(benchmark, options, notes)
    const report: Report = { name, machine: describeMachine(), figures, bars: judge(bars, figures) }
    print([renderReport(report), ...notes].join('\n'))
    if (options.json) print(JSON.stringify(report))
    return report.bars.every((bar) => bar.ok) ? 0 : 1
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    process.stderr.write(`${error.message}\n`)
    return 2
  }
}

async function runBenchmark(
  benchmark: Benchmark,
  { values, quick }: ParsedOptions,
  notes: string[],
): Promise<Figures> {
  const opened: AsyncDisposable[] = []
  try {
    return await benchmark.run({
      options: values,
      quick,
      open: async (resource) => {
        const ready = await resource
        opened.push(ready)
        return ready
      },
      progress: (text) => process.stderr.write(`  ${text}\n`),
      table: (title, rows) => print(`${renderTable(title, rows)}\n`),
      note: (text) => notes.push(text),
    })
  } finally {
    for (const resource of opened.toReversed()) await resource[Symbol.asyncDispose]()
  }
}

async function loadBenchmark(name: string): Promise<Benchmark> {
  if (!benchmarkNames().includes(name)) {
    throw new UsageError(`There is no benchmark "${name}". There are: ${benchmarkNames().join(', ')}.`)
  }
  const module = (await import(new URL(`${name}.ts`, folder).href)) as { benchmark?: Benchmark }
  if (!module.benchmark)
    throw new Error(`bench/${name}.ts exports no "benchmark" (see bench/harness/benchmark.ts)`)
  return module.benchmark
}

function benchmarkNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.ts') && file !== 'run.ts')
    .map((file) => file.slice(0, -'.ts'.length))
    .sort()
}

async function listBenchmarks(): Promise<number> {
  const rows = await Promise.all(
    benchmarkNames().map(async (benchmark) => ({ benchmark, about: (await loadBenchmark(benchmark)).about })),
  )
  print('npm run bench -- NAME [options] [--quick] [--json]\n')
  print(renderTable('Each also takes --help.', rows))
  return 0
}

function showHelp(name: string, benchmark: Benchmark): number {
  const rows = optionRows(benchmark.options)
  print(`${name}: ${benchmark.about}\n`)
  print(renderTable(`npm run bench -- ${name} [options] [--quick] [--json]`, rows))
  return 0
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
