import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countAttempt, isLocked } from '../../../src/actors/sign-in-lockout/commands.ts'
import { type AccountsWorld, accountsWorld } from '../account/accounts-world.ts'

let at: AccountsWorld
beforeAll(async () => {
  at = await accountsWorld()
})
afterAll(() => at.close())

const count = async (account: string, address: string) => {
  const attempt = await countAttempt(at.ports, account, address)
  if (isLocked(attempt)) throw new Error('locked')
  return attempt
}

describe('counting attempts', () => {
  it('locks the account wherever they come from, until somebody is in', async () => {
    for (let index = 0; index < 4; index++) await count('ann', `place ${index}`)
    await (await count('ann', 'place')).forget()
    for (let index = 0; index < 5; index++) await count('ann', `place ${index}`)
    expect(await countAttempt(at.ports, 'ann', 'new place')).toMatchObject({ refused: 'rate_limited' })
  })

  it.each([
    ['of one network of IPv6, however it is written', (index: number) => `2001:db8:0:7:${index}::${index}`],
    ['of one address of IPv4', () => '203.0.113.7'],
  ])('locks a place %s', async (place, addressOf) => {
    for (let index = 0; index < 20; index++) await count(`${place} ${index}`, addressOf(index))
    const next = await countAttempt(at.ports, `${place} next`, addressOf(99))
    expect(next).toMatchObject({ refused: 'rate_limited' })
    await count(`${place} neighbour`, '2001:db8:0:8::1')
  })

  it('does not count what was right', async () => {
    for (let index = 0; index < 30; index++) await (await count('bob', 'home')).forgive()
    expect(isLocked(await countAttempt(at.ports, 'bob', 'home'))).toBe(false)
  })
})
