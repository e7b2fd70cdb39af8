import { exchangeCases, exchangeSamples } from '../../contract/api/areas/exchanges.ts'
import { shownRoutes } from './shown-routes.ts'

shownRoutes('exchanges', { samples: exchangeSamples, cases: exchangeCases })
