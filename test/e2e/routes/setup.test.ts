import { setupCases, setupSamples } from '../../contract/api/areas/setup.ts'
import { shownRoutes } from './shown-routes.ts'

shownRoutes('setup', { samples: setupSamples, cases: setupCases })
