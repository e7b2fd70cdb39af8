import type { WireReply, WireRequest } from './request-and-reply.ts'
import { Heard, type HeardCall, type Sighting } from './heard.ts'
import { type Outcome, serveOnLoopback, type Tls } from './loopback.ts'
import { type Orders, serveOrders } from './orders.ts'
import { troubledAnswer } from './troubled-answer.ts'
import { type Call, type Trouble, Troubles } from './troubles.ts'
import type { VendorClock } from './vendor-clock.ts'

export type Handled = {
  readonly reply: WireReply
  /** Of the vendor, where it refuses. */
  readonly code?: string
  readonly sessionId?: string
  readonly images?: readonly Sighting[]
}

/** What differs between the vendors. */
export type VendorDesk = {
  /** Without believing any of it yet. */
  callOf(request: WireRequest): Call
  handle(request: WireRequest, call: Call): Handled
  throttled(call: Call): WireReply
  broken(call: Call): WireReply
}

export type Listening = { readonly port?: number; readonly controlPort?: number; readonly tls?: Tls }

export type Simulator = {
  readonly url: string
  readonly controlUrl: string
  readonly stop: () => Promise<void>
}

/** A vendor's desk behind its port, with outages, a log, and a port on which tests give orders. */
export const startSimulator = async (
  desk: VendorDesk,
  { clock, orders, listening: { port, controlPort, tls } }: Started,
): Promise<Simulator> => {
  const troubles = new Troubles(clock)
  const heard = new Heard()
  const answer = async (request: WireRequest): Promise<Outcome> => {
    const call = desk.callOf(request)
    const met = troubles.over(call)
    let handled: Handled | null = null
    const work = (): WireReply => {
      handled = desk.handle(request, call)
      return handled.reply
    }
    const outcome = await troubledAnswer(met, work, {
      throttled: () => desk.throttled(call),
      broken: () => desk.broken(call),
    })
    heard.note(noted(call, outcome, { handled, met, atMs: clock.wallMs }))
    return dated(outcome, clock)
  }
  const served = await serveOnLoopback({ answer, ...(port && { port }), ...(tls && { tls }) })
  const control = await serveOrders({ ...everydayOrders(clock, troubles, heard), ...orders }, controlPort)
  return {
    url: served.url,
    controlUrl: control.url,
    stop: async () => {
      await Promise.all([served.stop(), control.stop()])
    },
  }
}

/** Clients correct their own clock by what the vendor's says. */
function dated(outcome: Outcome, { wallMs }: VendorClock): Outcome {
  if (typeof outcome === 'string') return outcome
  return { ...outcome, headers: { ...outcome.headers, date: new Date(wallMs).toUTCString() } }
}

type Started = { readonly clock: VendorClock; readonly orders: Orders; readonly listening: Listening }

export type EverydayOrders = ReturnType<typeof everydayOrders>

const everydayOrders = (clock: VendorClock, troubles: Troubles, heard: Heard) => ({
  /** An outage begins. */
  trouble: (trouble: Trouble): void => troubles.begin(trouble),
  /** All outages are over. */
  calm: (): void => troubles.end(),
  /** The clock on the vendor's wall is this far ahead of this machine's. */
  setClock: (offsetMs: number): void => clock.set(offsetMs),
  /** Sessions, credentials and outages are this much older. */
  age: (ms: number): void => clock.age(ms),
  heard: (): readonly HeardCall[] => heard.calls,
  forgetHeard: (): void => heard.forget(),
})

function noted(
  call: Call,
  outcome: Outcome,
  { handled, met, atMs }: { handled: Handled | null; met: readonly Trouble[]; atMs: number },
): HeardCall {
  return {
    ...call,
    atMs,
    status: typeof outcome === 'string' ? outcome : outcome.status,
    code: handled?.code ?? null,
    sessionId: handled?.sessionId ?? null,
    images: handled?.images ?? [],
    troubles: met.map(({ kind }) => kind),
  }
}
