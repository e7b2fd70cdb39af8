import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { openPasswords } from '../../../src/actors/account/passwords.ts'

const crowdedOut = openPasswords().then((passwords) => passwords.hash('of an account'))

describe('passwords', () => {
  it('are hashed with argon2id and a salt of their own', async () => {
    const passwords = await openPasswords()
    const hashed = await passwords.hash('correct horse')
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.hash('correct horse')).not.toBe(hashed)
    expect(await passwords.verify(hashed, 'correct horse')).toBe(true)
    expect(await passwords.verify(hashed, 'wrong horse')).toBe(false)
  })

  it('are never those of an account that does not exist', async () => {
    expect(await (await openPasswords()).verify(null, 'anything')).toBe(false)
  })

  it('of an account that does not exist are refused in a crowd, and are wrong again afterwards', async () => {
    const passwords = await openPasswords({ atOnceMax: 1, waitingMax: 0 })
    const crowd = passwords.hash('correct horse')
    for (const hashed of [null, await crowdedOut])
      await expect(passwords.verify(hashed, 'x')).rejects.toMatchObject({ code: 'overloaded' })
    await crowd
    expect(await passwords.verify(null, 'x')).toBe(false)
  })

  it('are answered at the end of a step, however long they took', async () => {
    const passwords = await openPasswords({ stepMs: 200 })
    const lasting = async (work: () => Promise<unknown>) => {
      const begunMs = performance.now()
      await passwords.inSteps(work)
      return performance.now() - begunMs
    }
    expect(await lasting(() => Promise.resolve())).toBeGreaterThan(198)
    expect(await lasting(() => new Promise((resolve) => setTimeout(resolve, 210)))).toBeGreaterThan(398)
    await expect(passwords.inSteps(() => Promise.reject(new Error('crowd')))).rejects.toThrow('crowd')
  })

  it('that are too many are refused, and the rest are served', async () => {
    const passwords = await openPasswords({ atOnceMax: 1, waitingMax: 2 })
    const asked = Array.from({ length: 6 }, () => passwords.hash('correct horse'))
    const ended = await Promise.allSettled(asked)
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'overloaded', retryable: true },
    })
    expect(await passwords.hash('again')).toMatch(/^\$argon2id/)
  })

  it('leave the main thread free: it computes hardly anything while they are hashed', async () => {
    const passwords = await openPasswords()
    const before = performance.eventLoopUtilization()
    await Promise.all(Array.from({ length: 10 }, () => passwords.hash('correct horse')))
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  })
})
