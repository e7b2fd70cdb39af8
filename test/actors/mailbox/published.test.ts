import { expect, it } from 'vitest'
import { mailboxKind } from '../../../src/actors/mailbox/index.ts'
import { journalOf } from '../../../src/ports/parking.ts'

it('what an organisation hears of a mailbox is about the wallet, and in the journal of the mailbox', () => {
  const event = {
    type: 'SyncRequested',
    tenant: 'ten_1',
    walletId: 'wal_03aaaaaaaa',
    externalId: null,
    sequence: 4,
    upToPlace: 9,
    atMs: 1_700_000_000_000,
  }
  const actor = 'mbx_03aaaaaaaa'
  const told = mailboxKind.published?.publish(actor, event, '')
  expect(told).toMatchObject({ recordType: 'wallet', recordId: event.walletId, actor })
  expect(journalOf({ id: told?.id ?? '', recordId: event.walletId })).toBe(actor)
})
