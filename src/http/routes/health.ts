import { Type } from 'typebox'
import { type Route, defineRoute } from '../route.ts'

/** Answers from the last background probe: a health check must stay cheap when everything else is slow. */
export const healthRoute = (isHealthy: () => boolean): Route =>
  defineRoute({
    method: 'GET',
    path: '/v1/health',
    operationId: 'getHealth',
    summary: 'Tells whether the service works',
    caller: ['nobody'],
    responses: {
      200: Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false }),
      503: Type.Object({ status: Type.Literal('degraded') }, { additionalProperties: false }),
    },
    errors: [],
    handle: () =>
      isHealthy() ? { status: 200, body: { status: 'ok' } } : { status: 503, body: { status: 'degraded' } },
  })
