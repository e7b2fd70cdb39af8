import { besideBare } from './subjects/exchange-beside-bare.ts'
import { defineBenchmark } from './harness/benchmark.ts'
import { exchangeBars, exchangeOptions } from './subjects/exchange-options.ts'

export const benchmark = defineBenchmark({
  about: 'Processor time of a complete issuance beside the bare calls of libanoncreds',
  options: exchangeOptions,
  bars: exchangeBars,
  run: (context) =>
    besideBare(context, { bare: 'issue', exchange: (stage, connections) => stage.issue(connections) }),
})
