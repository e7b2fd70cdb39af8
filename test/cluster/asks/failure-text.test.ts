import { describe, expect, it } from 'vitest'
import { failureAcross, failureFrom } from '../../../src/cluster/asks/failure-text.ts'
import { ActorFailed, AskFailed, isRetryable, NoSuchActor } from '../../../src/ports/actors.ts'
import { isWaitedFor } from '../../../src/ports/parking.ts'
import { KeyGone, KeyLost, KeyUnknown } from '../../../src/ports/vault.ts'

const across = (error: unknown): Error =>
  failureFrom(JSON.parse(JSON.stringify(failureAcross(error))) as ReturnType<typeof failureAcross>)

describe('a failure at another node', () => {
  it.each([
    new AskFailed('overloaded', 'too much waits', 1_234),
    new AskFailed('unavailable', 'no', 200, { cause: new KeyUnknown('con_00aaaaaaaa') }),
    new ActorFailed('con_00aaaaaaaa'),
    new NoSuchActor(),
    new KeyGone('con_00aaaaaaaa'),
    new KeyLost('con_00aaaaaaaa'),
  ])('is the same here: %s', (error) => {
    const crossed = across(error)
    expect(crossed).toEqual(error)
    expect(crossed.constructor).toBe(error.constructor)
    expect(Object.entries(crossed)).toEqual(Object.entries(error))
    expect(isWaitedFor(crossed)).toBe(isWaitedFor(error))
  })

  it('that is not ours keeps its name and loses its words', () => {
    const cause = new SyntaxError('Ada Lovelace is no JSON')
    const [broken, away] = [
      across(new ActorFailed('con_00aaaaaaaa', { cause })),
      across(Object.assign(new Error('Ada is away'), { retryable: true })),
    ]
    expect(broken).toMatchObject({ name: 'ActorFailed', cause: { name: 'SyntaxError' } })
    expect([isRetryable(broken), isRetryable(away)]).toEqual([false, true])
    expect(JSON.stringify([failureAcross(broken), failureAcross(away), failureAcross('Ada')])).not.toContain(
      'Ada',
    )
  })

  it('ends at the third cause', () => {
    let error = new Error('the first')
    for (let depth = 0; depth < 9; depth++) error = new Error('another', { cause: error })
    expect(JSON.stringify(failureAcross(error)).match(/other/g)).toHaveLength(4)
  })
})
