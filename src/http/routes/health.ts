import { Type } from 'typebox'
import { exact } from '../route/fields.ts'
import { type Route, defineRoute, reply } from '../route/route.ts'
import { serviceTags } from '../openapi/tags.ts'

/** Answers from the last background probe: a health check must stay cheap when everything else is slow. */
export const healthRoute = (isHealthy: () => boolean): Route =>
  defineRoute({
    method: 'GET',
    path: '/v1/health',
    operationId: 'getHealth',
    summary: 'Tells whether the service works',
    description: 'For load balancers. Needs no credential and is not counted.',
    tag: serviceTags.service,
    access: { callers: ['nobody'], isAlwaysServed: true },
    responses: {
      200: exact({ status: Type.Literal('ok', { description: 'Every part works.' }) }),
      503: exact({
        status: Type.Literal('degraded', { description: 'A part does not work; the operators know which.' }),
      }),
    },
    errors: [],
    handle: () => (isHealthy() ? reply(200, { status: 'ok' }) : reply(503, { status: 'degraded' })),
  })
