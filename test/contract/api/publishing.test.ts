import { contractArea } from './area.ts'
import { publishingCases, publishingSamples } from './areas/publishing.ts'

contractArea('publishing', { samples: publishingSamples, cases: publishingCases })
