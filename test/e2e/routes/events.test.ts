import { eventCases, eventSamples } from '../../contract/api/areas/events.ts'
import { shownRoutes } from './shown-routes.ts'

shownRoutes('events', { samples: eventSamples, cases: eventCases })
