import { describe, expect, it } from 'vitest'
import {
  ActorFailed,
  failureOf,
  isRetryable,
  notOwner,
  overloaded,
  unavailable,
} from '../../src/host/faults.ts'
import { KeyGone } from '../../src/ports/vault.ts'

describe('what an asker hears of a failure', () => {
  it('is to come again when infrastructure is broken', () => {
    const away = Object.assign(new Error('away'), { retryable: true })
    expect(isRetryable(away)).toBe(true)
    expect(failureOf('acc', away)).toMatchObject({ code: 'unavailable', cause: away })
  })

  it('is the refusal itself when there is one', () => {
    const refusal = overloaded('full')
    expect(failureOf('acc', refusal)).toBe(refusal)
    expect(failureOf('acc', new KeyGone('x'))).toBeInstanceOf(KeyGone)
  })

  it('is that the actor failed when its code did, and the cause is kept for the log', () => {
    const bug = new TypeError('x is undefined')
    const failure = failureOf('acc', bug)
    expect(failure).toBeInstanceOf(ActorFailed)
    expect(failure.cause).toBe(bug)
    expect(failure.message).not.toContain('undefined')
  })

  it('says when to come again', () => {
    for (const refusal of [notOwner(3), overloaded('full'), unavailable('away')])
      expect(refusal.retryAfterMs).toBeGreaterThan(0)
  })
})
