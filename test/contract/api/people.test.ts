import { contractArea } from './area.ts'
import { peopleCases, peopleSamples } from './areas/people.ts'

contractArea('people', { samples: peopleSamples, cases: peopleCases })
