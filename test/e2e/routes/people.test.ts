import { peopleCases, peopleSamples } from '../../contract/api/areas/people.ts'
import { shownRoutes } from './shown-routes.ts'

shownRoutes('people', { samples: peopleSamples, cases: peopleCases })
