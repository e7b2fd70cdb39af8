import { Type } from 'typebox'
import { choice, exact, isoTime, moment, recordOf, words } from '../../http/route/fields.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { syntheticEvent, syntheticEventId } from './trigger.ts'

type Ports = Pick<ApiPorts, 'runtime' | 'feed' | 'eventTypes' | 'publishedEvents'>

const triggered = recordOf('TriggeredEvent', {
  id: words('The event, as the listeners have it.', 'evt_test_7q2w4e6r8t1y3u5i'),
  type: words('What it says has happened.', 'credential.state_changed'),
  createdAt: moment('When it was sent.'),
  listeners: Type.Integer({
    minimum: 0,
    description:
      'How many streams the event was handed to; 0: no stream is open, and no stream gets the event later.',
    examples: [1],
  }),
})

/** Tries those who listen to the events of an organisation. Nothing is stored, and no endpoint hears of it. */
export const triggerRoute = ({ runtime, feed, eventTypes, publishedEvents }: Ports): Route =>
  defineRoute({
    method: 'POST',
    path: '/v1/events/trigger',
    operationId: 'triggerEvent',
    summary: 'Sends a made-up event to those who listen, for development',
    description:
      'The streams of events (`GET /v1/events/stream`) that the organisation has open get an event of the type, with the data that this description shows, at this time, and about a record that does not exist. It has no `id:` line there, so that no client goes on behind it. No webhook endpoint gets it, and no list, timeline or delivery shows it; its id begins with `evt_test_`. Who has 16 of them waiting goes without, and so does who connects later.',
    tag: tags.webhooks,
    access: { callers: ['api_key'] },
    body: exact({ eventType: choice(eventTypes, 'What is to have happened.', 'credential.state_changed') }),
    responses: { 200: triggered },
    errors: [],
    idempotency: {
      newRecordId: () => syntheticEventId(runtime.newId()),
      // There is no record: where the answer was lost, the event goes out once more, under the same id.
      showRecord: () => null,
      storedFields: ['id', 'type', 'createdAt', 'listeners'],
    },
    handle: async ({ caller: { tenantId: tenant }, body: { eventType }, recordId: id }) => {
      const published = publishedEvents.find(({ type }) => type === eventType)
      if (published === undefined) throw new Error(`nothing describes ${eventType}`)
      const atMs = Math.floor(runtime.now())
      const listeners = await feed.trigger(syntheticEvent(published, { id, tenant, atMs }))
      return reply(200, { id, type: eventType, createdAt: isoTime(atMs), listeners })
    },
  })
