import { NOTHING_HAPPENS, impossibleEvent, refuse, type Decider } from '../../domain/decider.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

/**
 *   none ──claim──▶ claimed
 *
 * Which mailbox a key of a wallet belongs to. The first claim holds, also after the wallet has taken the key back or its mailbox
 * was removed: nobody else can receive what is still sent to it. It goes when the organisation of the wallet is deleted.
 */
export type MediatedKeyRecord = {
  readonly status: 'claimed'
  readonly mailbox: string
  readonly claimedAtMs: number
}

type Claim = { readonly atMs: number; readonly mailbox: string }

export type MediatedKeyCommand = { readonly type: 'ClaimKey' } & Claim
export type MediatedKeyEvent = { readonly type: 'KeyClaimed' } & Claim

export type MediatedKeyTypes = RecordTypes<MediatedKeyRecord, MediatedKeyCommand, MediatedKeyEvent>

export const mediatedKey = referencesTo<MediatedKeyTypes>('mdk')

export const mediatedKeyDecider: Decider<MediatedKeyTypes> = recordDecider({
  unknown: refuse('not_found', 'No wallet has registered this key.'),
  first: ['ClaimKey', 'KeyClaimed'],
  create: (command) => ({ ...command, type: 'KeyClaimed' }),
  created: ({ mailbox }, atMs) => ({ status: 'claimed', mailbox, claimedAtMs: atMs }),
  again: (record, { mailbox }) =>
    record.mailbox === mailbox ? NOTHING_HAPPENS : refuse('forbidden', 'Another wallet has this key.'),
  decide: () => NOTHING_HAPPENS,
  evolve: (record, event: MediatedKeyEvent) => {
    throw impossibleEvent(event, record.status)
  },
})
