import { contractArea } from './area.ts'
import { exchangeCases, exchangeSamples } from './areas/exchanges.ts'

contractArea('exchanges', { samples: exchangeSamples, cases: exchangeCases })
