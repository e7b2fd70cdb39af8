import type { Contents } from '../http/openapi/openapi.ts'
import type { Kind } from './define-kind.ts'
import { publishedEventsOf } from './published-events.ts'
import { tags } from './tags.ts'

/** What the description of the API says beside the routes. */
export const contentsOf = (kinds: readonly Kind[]): Contents => ({
  tags: Object.values(tags),
  events: publishedEventsOf(kinds),
})
