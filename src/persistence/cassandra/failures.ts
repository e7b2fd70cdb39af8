import { errors, types } from 'cassandra-driver'
import { StoreFailure } from '../store-port.ts'

export type StatementKind = 'read' | 'write' | 'conditional'

const { consistencies } = types
/** The codes as plain numbers, which is how the driver's errors carry them. */
const codes = types.responseErrorCodes as unknown as Readonly<Record<string, number>>

/** Codes of statements that Cassandra will never accept, in contrast to those it cannot take now. */
const DEFECTS = [codes['syntaxError'], codes['invalid'], codes['protocolError']]
const SERIAL: readonly (number | undefined)[] = [consistencies.serial, consistencies.localSerial]
const REFUSED = [codes['isBootstrapping'], codes['unauthorized']]

/** Translates the driver's error into whether the statement may have been applied, now or later. */
export const asStoreFailure = (error: unknown, kind: StatementKind): Error => {
  if (!(error instanceof Error)) return new Error(String(error))
  if (isDefect(error)) return error
  const outcome = kind === 'read' || wasNotApplied(error) ? 'not-applied' : 'unknown'
  return new StoreFailure(outcome, `Cassandra: ${error.message}`, { cause: error })
}

const isDefect = (error: Error): boolean =>
  error instanceof errors.ResponseError
    ? DEFECTS.includes(error.code)
    : error instanceof TypeError || error instanceof RangeError || error instanceof errors.ArgumentError

const wasNotApplied = (error: Error): boolean => {
  if (error instanceof errors.BusyConnectionError) return true
  if (error instanceof errors.NoHostAvailableError) return noHostTookIt(error)
  if (error instanceof errors.ResponseError) return wasRefused(error)
  return (error as { requestNotWritten?: boolean }).requestNotWritten === true
}

/** True when no host was reachable at all, or every host that was asked refused. */
const noHostTookIt = ({ innerErrors }: errors.NoHostAvailableError): boolean =>
  Object.values((innerErrors ?? {}) as Record<string, unknown>).every(
    (inner) => inner instanceof Error && wasNeverSentOrRefused(inner),
  )

const wasNeverSentOrRefused = (error: Error): boolean => {
  if (error instanceof errors.ResponseError) return wasRefused(error)
  if (error instanceof errors.OperationTimedOutError) return false
  // The driver marks errors of requests that it wrote to a socket; a host it could not connect to has no such mark.
  const { isSocketError, requestNotWritten } = error as {
    isSocketError?: boolean
    requestNotWritten?: boolean
  }
  return isSocketError !== true || requestNotWritten === true
}

/**
 * "Unavailable" comes before anything is done, except at the last step of a conditional statement, where the value is
 * already agreed upon: that error names the plain consistency instead of the serial one.
 */
const wasRefused = (error: errors.ResponseError): boolean => {
  if (REFUSED.includes(error.code)) return true
  if (error.code !== codes['unavailableException']) return false
  const asked = (error as { consistencies?: number }).consistencies
  return SERIAL.includes(asked)
}
