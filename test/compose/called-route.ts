import type { AnyRequest, Route } from '../../src/http/route/route.ts'

/** What a route answers to what it reads of a request, without a front door: its body, or the problem. */
export const called = async (
  routes: readonly Route[],
  operationId: string,
  request: Partial<AnyRequest> = {},
): Promise<unknown> => {
  const route = routes.find((each) => each.operationId === operationId)
  if (route === undefined) throw new Error(`there is no route ${operationId}`)
  const outcome = await route.handle(request as AnyRequest)
  return 'problem' in outcome ? outcome : outcome.body
}
