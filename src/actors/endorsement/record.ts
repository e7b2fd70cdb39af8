import { type Static, Type } from 'typebox'
import {
  choice,
  isoTime,
  moment,
  momentOrNull,
  recordOf,
  words,
  wordsOrNull,
} from '../../http/route/fields.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { contentOf, endorsedContentSchema } from './content.ts'
import { ENDORSED_TYPES, ENDORSEMENT_STATUSES, type EndorsementRecord } from './rules.ts'

export const endorsementSchema = recordOf('Endorsement', {
  id: words(
    'Names the endorsement: one for each attempt to publish a record.',
    'eds_4b7d9f1h3k5m7p9r1t3v5x7z',
  ),
  organisationId: words(
    'The organisation that wants to write to the ledger.',
    'ten_5c0k3m7p9r1t3v5x7z9b1d3f',
  ),
  recordType: choice(ENDORSED_TYPES, 'What it wants to write.', 'schema'),
  recordId: words(
    'The schema or the credential definition, by its catalogue id.',
    'sch_7d1f3h5k7m9p1r3t5v7x9z1b',
  ),
  content: Type.Union([endorsedContentSchema, Type.Null()], {
    description:
      'What is to be written, as everybody will read it on the ledger; null where the record is gone or cannot be read.',
  }),
  status: choice(ENDORSEMENT_STATUSES, 'Whether an operator has decided.', 'waiting'),
  reason: wordsOrNull('Why it was refused.', null),
  createdAt: moment('When it was asked for.'),
  decidedAt: momentOrNull('When an operator decided.'),
  decidedBy: Type.Union([Type.String(), Type.Null()], {
    description: 'The account of the operator who decided; `local` for the command line of the machine.',
    examples: [null],
  }),
})

export const endorsementView = async (
  ports: Pick<ApiPorts, 'actors'>,
  id: string,
  record: EndorsementRecord,
): Promise<Static<typeof endorsementSchema>> => ({
  id,
  organisationId: record.tenant,
  recordType: record.recordType,
  recordId: record.recordId,
  content: await contentOf(ports, record),
  status: record.status,
  reason: record.reason,
  createdAt: isoTime(record.createdAtMs),
  decidedAt: record.decidedAtMs === null ? null : isoTime(record.decidedAtMs),
  decidedBy: record.decidedBy,
})
