import { useEffect, useRef, useState } from 'preact/hooks'
import { call } from '../api/call.ts'
import { keyOf } from './line-key.ts'
import type { OfferLine } from './offer-lines.ts'
import { type Interrupted, type Sending, sendOffers } from './send-offers.ts'

export type SendingState = {
  readonly isUnderWay: boolean
  /** After how many seconds it goes on by itself, where the service wants that. */
  readonly waitSeconds: number | null
  readonly interrupted: Interrupted | null
}

const AT_REST: SendingState = { isUnderWay: false, waitSeconds: null, interrupted: null }

/** Sends a table in parts while its page stands. How far it came is kept with each part. */
export const useSending = (
  keep: (sending: Sending) => void,
): SendingState & {
  /** Answers the sending as it is when it stops. */
  readonly go: (begun: Sending, offers: readonly OfferLine[]) => Promise<Sending>
  readonly stop: () => void
} => {
  const [state, setState] = useState(AT_REST)
  const ended = useRef<AbortController | null>(null)
  const stop = (): void => ended.current?.abort()
  useEffect(() => stop, [])
  useEffect(() => (state.isUnderWay ? askedBeforeLeaving() : undefined), [state.isUnderWay])
  const go = async (begun: Sending, offers: readonly OfferLine[]): Promise<Sending> => {
    ended.current = new AbortController()
    const { signal } = ended.current
    let sending = begun
    keep(sending)
    setState({ ...AT_REST, isUnderWay: true })
    const interrupted = await sendOffers(begun, offers, {
      keyOf,
      // The request that is under way is let finish when the sending stops, so that the page knows what the service took.
      post: (body, key) => call('offerCredentials', { body }, { key }),
      wait: (ms) => waited(ms, signal),
      onWait: (waitSeconds) => setState({ ...AT_REST, isUnderWay: true, waitSeconds }),
      onSent: (part) => {
        sending = { ...sending, lastLine: part.lastLine, jobs: [...sending.jobs, part] }
        keep(sending)
        setState({ ...AT_REST, isUnderWay: true })
      },
      signal,
    })
    setState({ ...AT_REST, interrupted })
    return sending
  }
  return { ...state, go, stop }
}

const waited = (ms: number, signal: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve()
  })
  return promise
}

/** Makes the browser ask before the page is closed or reloaded, because the person would have to choose the table's file again. */
const askedBeforeLeaving = (): (() => void) => {
  const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
  addEventListener('beforeunload', ask)
  return () => removeEventListener('beforeunload', ask)
}
