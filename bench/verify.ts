import { besideBare, type Subject } from './subjects/exchange-beside-bare.ts'
import { besideTree } from './subjects/exchange-beside-tree.ts'
import { defineBenchmark } from './harness/benchmark.ts'
import { exchangeBars, exchangeOptions } from './subjects/exchange-options.ts'

const subject: Subject = {
  bare: 'verify',
  prepare: (stage, connections) => stage.issue(connections),
  exchange: (stage, connections) => stage.verify(connections),
}

export const benchmark = defineBenchmark({
  about: 'Processor time of a complete verification beside the bare calls of libanoncreds',
  options: exchangeOptions,
  bars: exchangeBars,
  run: (context) => (context.options.beside === '' ? besideBare : besideTree)(context, subject),
})
