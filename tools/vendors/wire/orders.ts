import { isJson, jsonOf } from './json.ts'
import { headerOf, type WireReply, type WireRequest } from './request-and-reply.ts'
import { type Served, serveOnLoopback } from './loopback.ts'

/** What a test may tell a simulator and ask it, by name. Inputs and answers are JSON. */
export type Orders = Readonly<Record<string, (...input: never[]) => unknown>>

type Given<Known extends Orders> = {
  [Name in keyof Known]: (...input: Parameters<Known[Name]>) => Promise<ReturnType<Known[Name]>>
}

const CONTENT = 'application/json'

/** The control port: `POST /NAME` with the list of inputs. No caller of the vendor knows it. */
export const serveOrders = (orders: Orders, port?: number): Promise<Served> =>
  serveOnLoopback({ ...(port === undefined ? {} : { port }), answer: (request) => carryOut(orders, request) })

/** The other end of the control port, typed as the simulator's own orders are. */
export const ordersAt = <Known extends Orders>(url: string): Given<Known> =>
  new Proxy({} as Given<Known>, {
    get: (_, name) =>
      // A promise that resolves with this object asks it whether it is one itself.
      typeof name === 'string' && name !== 'then'
        ? (...input: readonly unknown[]) => order(`${url}/${name}`, input)
        : undefined,
  })

async function order(url: string, input: readonly unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': CONTENT },
    body: JSON.stringify({ input }),
  })
  const answer = jsonOf(await response.text())
  if (!response.ok || answer === null)
    throw new Error(`an order was refused: ${JSON.stringify(answer?.['error'] ?? response.status)}`)
  return answer['value']
}

function carryOut(orders: Orders, request: WireRequest): WireReply {
  const known = Object.hasOwn(orders, request.path.slice(1)) ? orders[request.path.slice(1)] : undefined
  const body = headerOf(request, 'content-type') === CONTENT ? jsonOf(request.body.toString()) : null
  if (request.method !== 'POST' || known === undefined || !isJson(body) || !Array.isArray(body['input']))
    return told(404, { error: `There is no such order: ${request.method} ${request.path}` })
  try {
    return told(200, { value: known(...(body['input'] as never[])) ?? null })
  } catch (error) {
    return told(400, { error: error instanceof Error ? error.message : String(error) })
  }
}

const told = (status: number, body: unknown): WireReply => ({
  status,
  headers: { 'content-type': CONTENT },
  body: JSON.stringify(body),
})
