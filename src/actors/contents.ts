import type { Contents } from '../http/openapi/openapi.ts'
import { publishedEvents } from './published-events.ts'
import { tags } from './tags.ts'

/** What the description of the API says beside the routes. */
export const contents: Contents = { tags: Object.values(tags), events: publishedEvents }
