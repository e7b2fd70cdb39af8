import { type Static, Type } from 'typebox'
import { shardOfActor } from '../../domain/references.ts'
import { choice, isoTime, moment, recordOf, words } from '../../http/route/fields.ts'
import { type Parked, PARKED_PARTS } from '../../ports/parking.ts'

export const parkedRecordSchema = recordOf('ParkedRecord', {
  id: words('Names what is parked: one record for one part.', 'prk_2f8b1d3f5h7j9k0m2n4p6q8r0s1t2v3w'),
  shard: Type.Integer({
    minimum: 0,
    maximum: 255,
    description: 'The shard whose readers go on without the record.',
    examples: [47],
  }),
  part: choice(
    PARKED_PARTS,
    'Who goes on without it: the lists (the row stays as it was), the publisher of events (the events of the record wait), the intake of webhooks (the events for the endpoint wait), or the stream (it refuses an event).',
  ),
  recordId: words('The record that cannot be read.', 'cre_2f0p2r4t6v8x0z2b4d6f8h0k'),
  error: words('The names of the error and its causes, without their texts.', 'ActorFailed: CodecError'),
  since: moment('When it was parked.'),
  attempts: Type.Integer({
    minimum: 1,
    description:
      'How often it was tried. A retry that fails again counts one more; one that succeeds takes it away.',
    examples: [1],
  }),
})

export const parkedView = ({
  id,
  part,
  recordId,
  error,
  sinceMs,
  attempts,
}: Parked): Static<typeof parkedRecordSchema> => ({
  id,
  shard: shardOfActor(id),
  part,
  recordId,
  error,
  since: isoTime(sinceMs),
  attempts,
})
