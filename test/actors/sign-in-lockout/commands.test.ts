import { afterAll, describe, expect, it } from 'vitest'
import { isRefused } from '../../../src/domain/decider.ts'
import {
  beginAttempt,
  countAtPlace,
  type Attempt,
  type CountedFor,
} from '../../../src/actors/sign-in-lockout/commands.ts'
import { accountsWorld, allowed } from '../account/accounts-world.ts'

const at = await accountsWorld()
afterAll(() => at.close())

const attempt = async (id: string, address: string, what: CountedFor['what'] = 'account') => {
  const place = await countAtPlace(at.ports, address)
  if (isRefused(place)) return place
  const countedFor: CountedFor = what === 'device' ? { what, id } : { what, id, emailAddress: id }
  const begun = await beginAttempt(at.ports, place, countedFor)
  return isRefused(begun) ? begun : ((await begun.counted) ?? begun)
}
const count = async (...args: Parameters<typeof attempt>): Promise<Attempt> => allowed(await attempt(...args))

const durable = () => new Set(at.journal.batches.flat().map(({ actor }) => actor))

describe('counting attempts', () => {
  it.each(['account', 'device', 'stranger'] as const)(
    'locks what they are counted for (%s) wherever they come from, until somebody is in',
    async (what) => {
      for (let index = 0; index < 4; index++) await count(`ann ${what}`, `place ${index}`, what)
      await (await count(`ann ${what}`, 'place', what)).forget()
      for (let index = 0; index < 5; index++) await count(`ann ${what}`, `place ${index}`, what)
      expect(await attempt(`ann ${what}`, 'new place', what)).toMatchObject({ refused: 'rate_limited' })
    },
  )

  it.each([
    ['of one network of IPv6, however it is written', (index: number) => `2001:db8:0:7:${index}::${index}`],
    ['of one address of IPv4, however it is written', (index: number) => IPV4[index % IPV4.length] ?? ''],
  ])('locks a place %s', async (place, addressOf) => {
    for (let index = 0; index < 20; index++) await count(`${place} ${index}`, addressOf(index))
    expect(await attempt(`${place} next`, addressOf(99))).toMatchObject({ refused: 'rate_limited' })
    await count(`${place} neighbour`, '2001:db8:0:8::1')
  })

  it.each([
    ['/56', 100, (index: number) => `2001:db8:1:11${(index % 256).toString(16).padStart(2, '0')}::1`],
    ['/48', 400, (index: number) => `2001:db8:2:${(index * 128).toString(16)}::1`],
  ])('locks a %s from whose networks %i attempts came, and not before', async (width, free, addressOf) => {
    for (let index = 0; index < free; index++)
      expect(await countAtPlace(at.ports, addressOf(index))).not.toHaveProperty('refused')
    const wider = width === '/48' ? '2001:db8:2:ffff::1' : '2001:db8:1:11ff::1'
    expect(await countAtPlace(at.ports, wider)).toMatchObject({ refused: 'rate_limited' })
    expect(await countAtPlace(at.ports, '2001:db8:3::1')).not.toHaveProperty('refused')
  })

  it('locks no wider network from one that is locked, and forgives all of them', async () => {
    for (let index = 0; index < 1_000; index++) await countAtPlace(at.ports, '2001:db8:4::1')
    expect(await countAtPlace(at.ports, '2001:db8:4:1::1')).not.toHaveProperty('refused')
    for (let index = 0; index < 1_000; index++)
      allowed(await countAtPlace(at.ports, '2001:db8:5::1')).forgive()
    expect(await countAtPlace(at.ports, '2001:db8:5::1')).not.toHaveProperty('refused')
  })

  it('does not count what was right', async () => {
    for (let index = 0; index < 30; index++) await (await count('bob', 'home')).forgive()
    expect(await attempt('bob', 'home')).not.toHaveProperty('refused')
  })

  it('leaves a place locked when an attempt from there turns out right', async () => {
    const right = await count('right', 'shared')
    for (let index = 0; index < 19; index++) await count(`guessed ${index}`, 'shared')
    expect(await attempt('another', 'shared')).toMatchObject({ refused: 'rate_limited' })
    await right.forgive()
    expect(await attempt('another', 'shared')).toMatchObject({ refused: 'rate_limited' })
  })

  it('keeps nothing durable of places and strangers', async () => {
    const before = durable()
    for (let index = 0; index < 50; index++) await count(`unknown ${index}`, `p${index}`, 'stranger')
    expect(durable()).toEqual(before)
  })

  it('has ids that do not tell who tried', async () => {
    await count('somebody', 'somewhere')
    const actors = durable()
    await count('somebody', 'somewhere')
    for (const actor of durable()) {
      expect(actors).toContain(actor)
      expect(actor).not.toMatch(/some/)
    }
  })
})

const IPV4 = [
  '203.0.113.7',
  '::ffff:203.0.113.7',
  '0000:0000:0000:0000:0000:ffff:cb00:7107',
  '::FFFF:CB00:7107',
]
