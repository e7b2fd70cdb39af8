import type { AnyRequest, Route } from '../../src/http/route/route.ts'

/** What a route that takes nothing answers, without a front door: its body, or the problem. */
export const called = async (routes: readonly Route[], operationId: string): Promise<unknown> => {
  const route = routes.find((each) => each.operationId === operationId)
  if (route === undefined) throw new Error(`there is no route ${operationId}`)
  const outcome = await route.handle({} as AnyRequest)
  return 'problem' in outcome ? outcome : outcome.body
}
