import { describe, expect, it } from 'vitest'
import { HeardEvents } from '../../bench/load/heard-events.ts'

const event = (id: string, sequence: number, state: string, externalId: string | null = null) => ({
  id: `evt_${id}_${sequence}`,
  type: id.startsWith('con') ? 'connection.state_changed' : 'credential.state_changed',
  data: { id, state, externalId },
})

describe('what a tenant heard by webhook', () => {
  it('is the end of a record only when every event before the last was heard', async () => {
    const heard = new HeardEvents()
    heard.add(event('cre_1', 1, 'offer-sent'))
    heard.add(event('cre_1', 3, 'done'))
    await expect(heard.ended('cre_1', 'done', 20)).rejects.toThrow('never heard of the end of cre_1')
    const ended = heard.ended('cre_1', 'done', 5_000)
    heard.add(event('cre_1', 2, 'request-received'))
    expect(await ended).toMatchObject({ state: 'done' })
  })

  it('counts an event that comes twice once', () => {
    const heard = new HeardEvents()
    for (const sequence of [1, 1, 2]) heard.add(event('cre_1', sequence, 'offer-sent'))
    expect(heard.count).toBe(2)
  })

  it('counts the wishes of the mediator, which tell of no record', () => {
    const heard = new HeardEvents()
    const data = { walletId: 'wal_1', externalId: null } as never
    heard.add({ id: 'evt_mbx_1_1', type: 'wallet.sync_requested', data })
    heard.add(event('cre_1', 1, 'offer-sent'))
    expect(heard.count).toBe(2)
  })

  it('says when a record ended otherwise than it should', async () => {
    const heard = new HeardEvents()
    heard.add(event('cre_1', 1, 'declined'))
    await expect(heard.ended('cre_1', 'done', 5_000)).rejects.toThrow('cre_1 ended declined')
  })

  it('finds the connection that came of an invitation, before and after somebody asks', async () => {
    const heard = new HeardEvents()
    const later = heard.connectionOf('holder-1', 5_000)
    heard.add(event('con_1', 1, 'request-received', 'holder-1'))
    expect([await later, await heard.connectionOf('holder-1', 5_000)]).toEqual(['con_1', 'con_1'])
  })
})
