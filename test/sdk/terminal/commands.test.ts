import { describe, expect, it } from 'vitest'
import type { Credential, Offer, ProofRequest, Sdk } from '../../../sdk/core/public.ts'
import { linesFor } from '../../../sdk/terminal/commands.ts'

const offer: Offer = {
  id: 'o1',
  connectionId: 'c1',
  credentialDefinitionId: 'd1',
  schemaId: 's1',
  attributes: { name: 'Ada', expiresAt: '1900000000' },
  expiresAt: new Date(1_900_000_000_000),
  receivedAt: new Date(0),
  state: 'offered',
}
const credential: Credential = {
  id: 'k1',
  connectionId: 'c1',
  credentialDefinitionId: 'd1',
  schemaId: 's1',
  schemaName: 'person',
  schemaVersion: '1.0',
  issuerId: 'i1',
  attributes: { name: 'Ada' },
  receivedAt: new Date(0),
  expiresAt: new Date(0),
  expired: true,
}
const request: ProofRequest = {
  id: 'p1',
  connectionId: 'c1',
  name: 'Entry',
  requested: [
    { kind: 'attributes', referent: 'person', group: 'person', names: ['name'], restrictions: [] },
    {
      kind: 'predicate',
      referent: 'person.0',
      group: 'person',
      name: 'age',
      operator: '>=',
      value: 18,
      restrictions: [],
    },
  ],
  receivedAt: new Date(0),
  state: 'requested',
}

const walletWith = (given: readonly Offer[] = [offer]) => {
  let offers = given
  const done: string[] = []
  const sdk = {
    receiveInvitation: async (url: string) => {
      done.push(`scan ${url}`)
      return { id: 'c1', label: 'Registry', state: 'connecting', createdAt: new Date(0) }
    },
    connections: async () => [],
    offers: { list: async () => offers, accept: async (id: string) => void done.push(`accept ${id}`) },
    credentials: {
      list: async () => [credential],
      delete: async (id: string) => void done.push(`delete ${id}`),
    },
    proofRequests: {
      list: async () => [request],
      candidates: async () => ({ person: [credential] }),
      present: async (id: string) => void done.push(`present ${id}`),
    },
    sync: async () => ({ received: 2, waiting: 0 }),
    reset: async () => void done.push('reset'),
  } as unknown as Sdk
  return { sdk, done, offersAre: (now: readonly Offer[]) => void (offers = now) }
}

describe('a line in the terminal', () => {
  it.each([
    ['https://example.com/?oob=x', 'scan https://example.com/?oob=x', 'Asked: Registry, connecting.'],
    ['accept', 'accept o1', 'Accepted: name: Ada, until 2030-03-17.'],
    ['accept 1', 'accept o1', 'Accepted: name: Ada, until 2030-03-17.'],
    ['present', 'present p1', 'Presented: Entry.'],
    ['delete 1', 'delete k1', 'Deleted: person: name: Ada, EXPIRED on 1970-01-01.'],
    ['reset for good', 'reset', 'The wallet is empty. Start it again.'],
  ])('%s does what it says', async (line, expected, shown) => {
    const { sdk, done } = walletWith()
    expect(await linesFor(sdk)(line)).toEqual([shown])
    expect(done).toEqual([expected])
  })

  it.each([
    ['accept 2', 'There is no offer 2.'],
    ['accept x', 'There is no offer x.'],
    ['delete', 'Say which one: delete NUMBER.'],
    ['reset', 'That removes every credential. Say: reset for good.'],
  ])('%s is a mistake, and does nothing', async (line, shown) => {
    const { sdk, done } = walletWith()
    expect(await linesFor(sdk)(line)).toEqual([shown])
    expect(done).toEqual([])
  })

  it('means the numbers of the list that was shown, whatever has come since', async () => {
    const accepted: Offer = { ...offer, id: 'o0', state: 'accepted' }
    const { sdk, done, offersAre } = walletWith([accepted, offer])
    const runLine = linesFor(sdk)
    const lines = await runLine('offers')
    expect(lines).toHaveLength(2)
    expect(lines[0]).toContain('(accepted)')
    offersAre([{ ...offer, id: 'o2' }, accepted, offer])
    expect(await runLine('accept 1')).toEqual(['The offer 1 is accepted. Say offers to see what there is.'])
    await runLine('accept 2')
    expect(done).toEqual(['accept o1'])
    offersAre([{ ...offer, id: 'o2' }])
    expect(await runLine('accept 2')).toEqual(['The offer 2 is over. Say offers to see what there is.'])
    expect(done).toEqual(['accept o1'])
  })

  it('without a number is refused where it could mean more than one', async () => {
    const { sdk, done } = walletWith([{ ...offer, id: 'o2' }, offer])
    expect(await linesFor(sdk)('accept')).toEqual(['There are 2 of them: say offers, and then which one.'])
    expect(done).toEqual([])
  })

  it('shows what is asked for, and what would answer it', async () => {
    expect(await linesFor(walletWith().sdk)('show')).toEqual([
      'Entry asks',
      'to see name ← person: name: Ada, EXPIRED on 1970-01-01',
      'that age >= 18, without seeing it ← NOTHING in this wallet answers it',
    ])
  })

  it('that is empty fetches messages, and one that is unknown shows what there is', async () => {
    const { sdk } = walletWith()
    expect(await linesFor(sdk)('')).toEqual(['2 messages fetched, 0 still to be sent.'])
    const shown = await linesFor(sdk)('dance')
    expect(shown[0]).toBe('There is no dance.')
    expect(shown).toEqual(expect.arrayContaining([expect.stringContaining('accept [NUMBER]')]))
  })
})
