import { besideBare } from './subjects/exchange-beside-bare.ts'
import { defineBenchmark } from './harness/benchmark.ts'
import { exchangeBars, exchangeOptions } from './subjects/exchange-options.ts'

export const benchmark = defineBenchmark({
  about: 'Processor time of a complete verification beside the bare calls of libanoncreds',
  options: exchangeOptions,
  bars: exchangeBars,
  run: (context) =>
    besideBare(context, {
      bare: 'verify',
      prepare: (stage, connections) => stage.issue(connections),
      exchange: (stage, connections) => stage.verify(connections),
    }),
})
