import { Type } from 'typebox'
import { defineKind } from '../define-kind.ts'
import { storedRecord, text, time } from '../stored-fields.ts'
import { mediatedKey, mediatedKeyDecider, type MediatedKeyTypes } from './rules.ts'

/** Keys of wallets behind the mediator. The key itself is nowhere in it: the id is made of its hash. */
export const mediatedKeyKind = defineKind<MediatedKeyTypes>({
  references: mediatedKey,
  decider: mediatedKeyDecider,
  ...storedRecord({
    events: { KeyClaimed: { mailbox: text } },
    records: [{ status: Type.Literal('claimed'), mailbox: text, claimedAtMs: time }],
  }),
})
