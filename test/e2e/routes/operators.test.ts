import { operatorCases, operatorSamples } from '../../contract/api/areas/operators.ts'
import { shownRoutes } from './shown-routes.ts'

shownRoutes('operators', { samples: operatorSamples, cases: operatorCases })
