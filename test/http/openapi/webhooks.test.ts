import { describe, expect, it } from 'vitest'
import { EVENT_TYPES } from '../../../src/ports/publication.ts'
import { publishedEvents } from '../../../src/actors/published-events.ts'
import { webhooks } from '../../../src/http/openapi/webhooks.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'

type Shown = {
  readonly post: {
    readonly operationId: string
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': { readonly schema: object; readonly example: unknown }
      }
    }
  }
}

describe('the webhooks', () => {
  it('are described, every type, with an example that fits', () => {
    const shown = webhooks(publishedEvents) as Readonly<Record<string, Shown>>
    expect(Object.keys(shown)).toEqual([...EVENT_TYPES])
    for (const { post } of Object.values(shown)) {
      const { schema, example } = post.requestBody.content['application/json']
      expect(compileSchema(schema, 'the event')(example)).toBeNull()
      const { data } = example as { readonly data: object }
      expect(Object.keys(data)).toEqual(expect.arrayContaining(['updatedAt', 'sequence']))
    }
    expect(shown['record.erased']?.post.operationId).toBe('receiveRecordErased')
  })
})
