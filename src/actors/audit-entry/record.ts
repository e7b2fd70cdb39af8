import type { Static } from 'typebox'
import { choice, isoTime, recordOf, recordTimes, words, wordsOrNull } from '../../http/route/fields.ts'
import type { AuditRecord } from './rules.ts'

export const auditSchema = recordOf('AuditEntry', {
  id: words('Names the entry.', 'aud_2b4d6f8h0k2m4p6r8t0v2x4z'),
  organisation: wordsOrNull(
    'Whose log this is; null for the log of the operators.',
    'ten_5c0k3m7p9r1t3v5x7z9b1d3f',
  ),
  initiator: choice(
    ['member', 'operator', 'acting_operator', 'command_line', 'nobody'],
    'What kind of person or program did it; acting_operator: an operator of the service, for the organisation.',
  ),
  initiatorId: wordsOrNull('The account that did it.', 'acc_4h6k8m0p2r4t6v8x0z2b4d6f'),
  action: words('What was done: the name of an operation.', 'setWebhook'),
  targetId: wordsOrNull('What it was done to.', null),
  reason: wordsOrNull('Why, where an operator had to say it.', null),
  outcome: choice(
    ['open', 'done', 'refused', 'failed'],
    'How it ended; open: it is under way, or it is not known.',
    'done',
  ),
  ...recordTimes,
})

/** `reason`: as its reader may see it. */
export const auditView = (
  id: string,
  entry: AuditRecord,
  reason: string | null,
): Static<typeof auditSchema> => {
  const { status: outcome, createdAtMs, updatedAtMs, sealedReason: _, ...facts } = entry
  return { id, ...facts, reason, outcome, createdAt: isoTime(createdAtMs), updatedAt: isoTime(updatedAtMs) }
}
