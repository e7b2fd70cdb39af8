import type { FrontDoorOptions } from '../../../src/http/front-door/front-door.ts'

/** A front door behind which callers have no credential, no rate and no Idempotency-Key. */
export const plainDoor = {
  localRoutes: [],
  authenticate: () => ({ kind: 'nobody' }),
  idempotency: () => Promise.reject(new Error('no key is remembered here')),
  rateLimit: () => null,
  clientAddress: ({ remoteAddress }) => remoteAddress,
  accessLog: true,
  requestsInFlightMax: 1_000,
} satisfies Omit<FrontDoorOptions, 'routes' | 'log' | 'metrics'>
