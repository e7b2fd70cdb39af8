import type { Bars } from '../harness/benchmark.ts'

export const exchangeOptions = {
  exchanges: {
    type: 'number',
    default: 256,
    quick: 64,
    about: 'exchanges of a round, each over a connection',
  },
  rounds: { type: 'number', default: 5, quick: 2, about: 'rounds, of which the median counts' },
  at_once: { type: 'number', default: 128, about: 'exchanges under way at a time' },
  wave: { type: 'number', default: 64, about: 'answers of wallets that arrive together' },
  engine: {
    type: 'string',
    default: 'auto',
    choices: ['auto', 'native', 'library', 'compare'],
    about: 'signature engine of the service',
  },
  profile: {
    type: 'string',
    default: '',
    about:
      'file for a processor profile of the last round (main thread); beside another tree two, of all rounds',
  },
  beside: {
    type: 'string',
    default: '',
    about: 'folder of another tree, whose service runs in turn with this one instead of the bare calls',
  },
  starts: {
    type: 'number',
    default: 3,
    quick: 1,
    about: 'how often the benchmark starts the services of both trees; the median of the starts counts',
  },
} as const

/** The most that a change may add to the processor time of an exchange. */
const TREE_RATIO_MAX = 1.05

/** Half of the bare calls with the own engine; half more than them where the service makes the same calls. */
export const exchangeBars = ({
  engine,
  beside,
}: {
  readonly engine: string
  readonly beside: string
}): Bars =>
  beside === ''
    ? { cpu_ratio_to_bare: { atMost: engine === 'auto' || engine === 'native' ? 0.5 : 1.5 } }
    : { cpu_ratio_to_tree: { atMost: TREE_RATIO_MAX } }
