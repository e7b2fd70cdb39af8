import { contractArea } from './area.ts'
import { setupCases, setupSamples } from './areas/setup.ts'

contractArea('setup', { samples: setupSamples, cases: setupCases })
