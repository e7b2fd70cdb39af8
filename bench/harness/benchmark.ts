import type { OptionSpecs, OptionValues } from './options.ts'

/** A figure must stay on the right side of its bar; the benchmark exits 1 otherwise. */
export type Bar = { readonly atLeast: number } | { readonly atMost: number }

export type Bars = Readonly<Record<string, Bar>>

/** Flat, units last in the name: `asks_per_s`, `p99_ms`, `cpu_us_per_request`. Ratios are named `…_ratio`. */
export type Figures = Readonly<Record<string, number>>

export type TableRow = Readonly<Record<string, string | number>>

export type BenchmarkContext<Values> = {
  readonly options: Values
  readonly quick: boolean
  /** Hands a process or another resource to the harness, which closes all of them afterwards, the last first. */
  readonly open: <Resource extends AsyncDisposable>(
    resource: Resource | Promise<Resource>,
  ) => Promise<Resource>
  /** One line on stderr while the benchmark runs. */
  readonly progress: (text: string) => void
  /** A table that is printed above the figures. */
  readonly table: (title: string, rows: readonly TableRow[]) => void
  /** A sentence that is printed under the figures. */
  readonly note: (text: string) => void
}

export type Benchmark<Specs extends OptionSpecs = OptionSpecs> = {
  /** What is measured beside what, in one sentence. */
  readonly about: string
  readonly options: Specs
  /** Each bar judges the figure of the same name. A function where they depend on an option. */
  readonly bars: Bars | ((values: OptionValues<Specs>) => Bars)
  run(context: BenchmarkContext<OptionValues<Specs>>): Promise<Figures>
}

/** `bench/NAME.ts` exports `benchmark`, made by this function. */
export function defineBenchmark<const Specs extends OptionSpecs>(
  benchmark: Benchmark<Specs>,
): Benchmark<Specs> {
  return benchmark
}
