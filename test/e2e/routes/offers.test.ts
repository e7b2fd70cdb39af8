import { offersCases, offersSamples } from '../../contract/api/areas/offers.ts'
import { shownRoutes } from './shown-routes.ts'

shownRoutes('many offers', { samples: offersSamples, cases: offersCases })
