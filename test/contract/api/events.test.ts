import { contractArea } from './area.ts'
import { eventCases, eventSamples } from './areas/events.ts'

contractArea('events', { samples: eventSamples, cases: eventCases })
