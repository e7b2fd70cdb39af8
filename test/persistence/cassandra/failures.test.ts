import { errors, types } from 'cassandra-driver'
import { describe, expect, it } from 'vitest'
import { asStoreFailure, type StatementKind } from '../../../src/persistence/cassandra/failures.ts'
import { StoreFailure } from '../../../src/persistence/store-port.ts'

const { responseErrorCodes, consistencies } = types

const answered = (code: number, more: object = {}): Error =>
  Object.assign(new errors.ResponseError(code, 'as the server says'), more)
const socketError = (requestNotWritten: boolean): Error =>
  Object.assign(new Error('socket closed'), { isSocketError: true, requestNotWritten })
const noHost = (...inner: Error[]): Error =>
  new errors.NoHostAvailableError(
    Object.fromEntries(inner.map((error, index) => [`10.0.0.${index}:9042`, error])),
  )

const outcome = (error: Error, kind: StatementKind): string => {
  const failure = asStoreFailure(error, kind)
  return failure instanceof StoreFailure ? failure.outcome : 'defect'
}

const unavailableAt = (consistency: number): Error =>
  answered(responseErrorCodes.unavailableException, { consistencies: consistency })

describe('the outcome of a conditional statement', () => {
  it.each<[string, Error]>([
    ['a write timeout', answered(responseErrorCodes.writeTimeout, { writeType: 'CAS' })],
    ['a write failure', answered(responseErrorCodes.writeFailure)],
    ['a read timeout of its condition', answered(responseErrorCodes.readTimeout)],
    ['an overloaded coordinator', answered(responseErrorCodes.overloaded)],
    ['an error of the server', answered(responseErrorCodes.serverError)],
    ['no answer in time', new errors.OperationTimedOutError('no answer', '10.0.0.1')],
    ['a connection that broke after the request was sent', socketError(false)],
    ['too few nodes for the last step', unavailableAt(consistencies.quorum)],
    [
      'a host that was asked and gave no answer',
      noHost(new errors.OperationTimedOutError('no answer', '10.0.0.1')),
    ],
    [
      'one of several hosts that may have taken it',
      noHost(unavailableAt(consistencies.serial), socketError(false)),
    ],
  ])('is unknown after %s', (_, error) => {
    expect(outcome(error, 'conditional')).toBe('unknown')
  })

  it.each<[string, Error]>([
    ['too few nodes to begin', unavailableAt(consistencies.serial)],
    ['too few nodes of the datacenter to begin', unavailableAt(consistencies.localSerial)],
    ['a node that is still starting', answered(responseErrorCodes.isBootstrapping)],
    ['a connection that broke before the request was sent', socketError(true)],
    ['no host in reach', noHost(new Error('connect ECONNREFUSED'))],
    ['no host known', noHost()],
    ['too many requests on every connection', new errors.BusyConnectionError('10.0.0.1:9042', 2_048, 1)],
  ])('is "not applied" after %s', (_, error) => {
    expect(outcome(error, 'conditional')).toBe('not-applied')
  })

  it('is no question when the statement can never be taken', () => {
    expect(outcome(answered(responseErrorCodes.invalid), 'conditional')).toBe('defect')
    expect(outcome(answered(responseErrorCodes.syntaxError), 'conditional')).toBe('defect')
    expect(outcome(new TypeError('not a valid int'), 'write')).toBe('defect')
  })
})

describe('a read', () => {
  it('was never applied, whatever went wrong', () => {
    expect(outcome(new errors.OperationTimedOutError('no answer', '10.0.0.1'), 'read')).toBe('not-applied')
    expect(outcome(answered(responseErrorCodes.readTimeout), 'read')).toBe('not-applied')
  })
})

describe('the driver of this version', () => {
  it('names its errors as this file expects them', () => {
    expect(new errors.NoHostAvailableError({}).innerErrors).toEqual({})
    expect(responseErrorCodes.unavailableException).toBe(0x1000)
    expect(responseErrorCodes.writeTimeout).toBe(0x1100)
  })
})
