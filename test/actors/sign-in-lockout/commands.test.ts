import { afterAll, describe, expect, it } from 'vitest'
import { countAttempt } from '../../../src/actors/sign-in-lockout/commands.ts'
import { accountsWorld, allowed } from '../account/accounts-world.ts'

const at = await accountsWorld()
afterAll(() => at.close())

const count = async (account: string, address: string) =>
  allowed(await countAttempt(at.ports, account, address))

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
    expect(await countAttempt(at.ports, 'bob', 'home')).not.toHaveProperty('refused')
  })

  it('has ids that do not tell who tried', async () => {
    await count('somebody', 'somewhere')
    const actors = new Set(at.journal.batches.flat().map(({ actor }) => actor))
    await count('somebody', 'somewhere')
    for (const { actor } of at.journal.batches.flat()) {
      expect(actors).toContain(actor)
      expect(actor).not.toMatch(/some/)
    }
  })
})
