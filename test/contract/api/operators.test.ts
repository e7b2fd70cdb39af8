import { contractArea } from './area.ts'
import { operatorCases, operatorSamples } from './areas/operators.ts'

contractArea('operators', { samples: operatorSamples, cases: operatorCases })
