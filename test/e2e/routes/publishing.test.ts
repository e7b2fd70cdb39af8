import { publishingCases, publishingSamples } from '../../contract/api/areas/publishing.ts'
import { shownRoutes } from './shown-routes.ts'

shownRoutes('publishing', { samples: publishingSamples, cases: publishingCases })
