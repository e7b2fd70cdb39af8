import { describe, expect, it } from 'vitest'
import { patiently } from './patience.ts'

const failing = (times: number) => {
  const tried = { times: 0 }
  const attempt = async (): Promise<string> => {
    tried.times += 1
    if (tried.times <= times) throw new Error('away')
    return 'answered'
  }
  return { tried, attempt }
}
const always = new AbortController().signal

describe('patience', () => {
  it('tries again what passes', async () => {
    const { tried, attempt } = failing(2)
    expect(await patiently(attempt, () => true, always)).toBe('answered')
    expect(tried.times).toBe(3)
  })

  it('tells at once what does not pass', async () => {
    const { tried, attempt } = failing(2)
    await expect(patiently(attempt, () => false, always)).rejects.toThrow('away')
    expect(tried.times).toBe(1)
  })

  it('ends with the wallet', async () => {
    const stopping = new AbortController()
    const { attempt } = failing(1_000)
    const waiting = patiently(attempt, () => true, stopping.signal)
    stopping.abort()
    await expect(waiting).rejects.toThrow()
  })
})
