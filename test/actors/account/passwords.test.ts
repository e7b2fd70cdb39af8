import { performance } from 'node:perf_hooks'
import { describe, expect, it } from 'vitest'
import { type Asker, knownAsker, openPasswords, stranger } from '../../../src/actors/account/passwords.ts'

const known = knownAsker('acc_1')
let places = 0
const somebody = () => stranger(`198.51.${++places >> 8}.${places & 255}`)

const crowdedOut = openPasswords().then((passwords) => passwords.hash('of an account', known))

describe('passwords', () => {
  it('are hashed with argon2id and a salt of their own', async () => {
    const passwords = await openPasswords()
    const hashed = await passwords.hash('correct horse', somebody())
    expect(hashed).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await passwords.hash('correct horse', somebody())).not.toBe(hashed)
    expect(await passwords.verify(hashed, 'correct horse', known)).toBe(true)
    expect(await passwords.verify(hashed, 'wrong horse', known)).toBe(false)
  })

  it('are never those of an account that does not exist', async () => {
    expect(await (await openPasswords()).verify(null, 'anything', known)).toBe(false)
  })

  it('of an account that does not exist are refused in a crowd, and are wrong again afterwards', async () => {
    const passwords = await openPasswords({ atOnceMax: 1, waitingMax: 0 })
    const hashes = [null, await crowdedOut]
    const crowd = passwords.hash('correct horse', somebody())
    // All are asked before the crowd can have come to its end.
    const asked = hashes.map((hashed) => passwords.verify(hashed, 'x', somebody()))
    const overloaded = { reason: { code: 'overloaded' } }
    expect(await Promise.allSettled(asked)).toMatchObject([overloaded, overloaded])
    await crowd
    expect(await passwords.verify(null, 'x', known)).toBe(false)
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
    const asked = Array.from({ length: 6 }, () => passwords.hash('correct horse', somebody()))
    const ended = await Promise.allSettled(asked)
    expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect(ended.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'overloaded', retryable: true },
    })
    expect(await passwords.hash('again', known)).toMatch(/^\$argon2id/)
  })

  const waitingOf = async (askers: readonly Asker[], more: readonly Asker[] = []) => {
    const passwords = await openPasswords({ cost: { memoryCost: 16, timeCost: 1, parallelism: 1 } })
    const running = [passwords.hash('first', somebody()), passwords.hash('second', somebody())]
    const ended = [...askers, ...more].map((asker) => passwords.hash('correct horse', asker))
    const settled = await Promise.allSettled(ended)
    await Promise.all(running)
    return settled.slice(-more.length || undefined).filter(({ status }) => status === 'fulfilled').length
  }

  it('have places for those who are known, beside any crowd of strangers', async () => {
    const crowd = Array.from({ length: 500 }, somebody)
    expect(await waitingOf(crowd)).toBe(32)
    expect(await waitingOf(crowd, [known])).toBe(1)
    expect(await waitingOf(crowd, [somebody()])).toBe(0)
    expect(await waitingOf(Array.from({ length: 100 }, () => known))).toBe(2)
  })

  it('are shared among networks: two of each wait, four of a /56 and eight of a /48', async () => {
    const from = (addressOf: (index: number) => string) =>
      Array.from({ length: 500 }, (_, index) => stranger(addressOf(index)))
    const hex = (value: number) => value.toString(16)
    expect(await waitingOf(from(() => '192.0.2.7'))).toBe(2)
    expect(await waitingOf(from((index) => `2001:db8:0:7::${hex(index)}`))).toBe(2)
    expect(
      await waitingOf(from((index) => `2001:db8:0:7${hex(16 + (index % 200)).padStart(2, '0')}::1`)),
    ).toBe(4)
    const fromOne48 = from((index) => `2001:db8:0:${hex(index * 128)}::1`)
    expect(await waitingOf(fromOne48)).toBe(8)
    expect(await waitingOf(fromOne48, [somebody()])).toBe(1)
  })

  it('leave the main thread free: it computes hardly anything while they are hashed', async () => {
    const passwords = await openPasswords()
    const before = performance.eventLoopUtilization()
    await Promise.all(Array.from({ length: 10 }, () => passwords.hash('correct horse', somebody())))
    expect(performance.eventLoopUtilization(before).utilization).toBeLessThan(0.5)
  })
})
