import { contractArea } from './area.ts'
import { offersCases, offersSamples } from './areas/offers.ts'

contractArea('many offers', { samples: offersSamples, cases: offersCases })
