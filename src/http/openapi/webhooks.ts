import { type TSchema, Type } from 'typebox'
import { exampleOf } from './example.ts'
import type { Tag } from './tags.ts'
import { moment, recordOf, words } from '../route/fields.ts'

type Json = { readonly [key: string]: unknown }

/** A type of event that organisations can hear of. `data`: what it says beside id, type, time and organisation. */
export type PublishedEvent = {
  readonly type: string
  readonly summary: string
  readonly tag: Tag
  readonly data: TSchema
}

const signature = {
  name: 'X-svc-Signature',
  in: 'header',
  required: true,
  description:
    't=<unix seconds>,v1=<hex>[,v1=<hex>]: HMAC-SHA256 of "<t>.<raw body>" under the signing secret; for 24 hours after a rotation the new secret comes first and the previous one second.',
  schema: { type: 'string' },
}

const named = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', examples: [example] },
})

const headers = [
  signature,
  named('X-svc-Event-Id', 'The `id` of the body, the same in every attempt.', 'evt_7q2w4e6r8t1y3u5i_4'),
  named('X-svc-Event-Type', 'The `type` of the body.', 'credential.state_changed'),
  named('X-svc-Delivery-Attempt', 'Which attempt this is, counted from 1.', '1'),
]

/** What is posted to the endpoint of an organisation. */
export const webhooks = (events: readonly PublishedEvent[]): Json =>
  Object.fromEntries(
    events.map((event) => {
      const { type, data } = event
      const schema = recordOf(titleOf(type), {
        id: words(
          'The event, the same in every delivery: drop what you have seen already by it.',
          'evt_7q2w4e6r8t1y3u5i_4',
        ),
        type: Type.Literal(type, { description: 'What has happened.' }),
        createdAt: moment('When it happened.'),
        tenantId: words('The organisation.', 'ten_5c0k3m7p9r1t3v5x7z9b1d3f'),
        data,
      })
      return [type, { post: post(event, schema) }]
    }),
  )

/** connection.state_changed → ConnectionStateChanged */
const titleOf = (type: string): string =>
  type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())

const post = ({ type, summary, tag }: PublishedEvent, schema: TSchema): Json => ({
  operationId: `receive ${type}`.replaceAll(/[ ._]+(\w)/g, (_, letter: string) => letter.toUpperCase()),
  summary,
  description: `${summary}. Posted to the endpoint of the organisation; at least once, in no particular order.`,
  tags: [tag.name],
  security: [],
  parameters: headers,
  requestBody: { required: true, content: { 'application/json': { schema, example: exampleOf(schema) } } },
  responses: {
    '2XX': { description: 'Accepted. Anything else, or no answer within 10 seconds, is tried again.' },
    '4XX': { description: 'Tried again.' },
  },
})
