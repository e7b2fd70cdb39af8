import { Type } from 'typebox'
import type { InvitationEvent, InvitationState } from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import type { Codec } from '../../host/definition.ts'
import { event, text, textOrNull, time } from '../stored-fields.ts'

const created = {
  tenant: text,
  label: text,
  multiUse: Type.Boolean(),
  alias: textOrNull,
  externalId: textOrNull,
  ownSeed: textOrNull,
  ownKey: text,
}

export const invitationEvents: Codec<InvitationEvent> = eventCodec({
  InvitationCreated: {
    version: 1,
    schema: event('InvitationCreated', created),
    personal: ['ownSeed', 'alias'],
  },
  HolderAdmitted: { version: 1, schema: event('HolderAdmitted', { connectionId: text }) },
})

export const invitationSnapshots: Codec<InvitationState> = codec({
  version: 1,
  schema: Type.Union([
    Type.Object({ status: Type.Literal('none') }),
    Type.Object({ status: Type.Literal('open'), ...created, winner: textOrNull, createdAtMs: time }),
  ]),
  personal: ['ownSeed', 'alias'],
})
