import { Type } from 'typebox'
import { codec, eventCodec } from '../../host/codec.ts'
import { defineKind } from '../define-kind.ts'
import { oneOf, text } from '../stored-fields.ts'
import { roster, rosterDecider, type RosterTypes } from './rules.ts'

const role = oneOf(['admin', 'viewer', 'operator'])
const event = <const Name extends string, Fields extends object>(name: Name, fields: Fields) =>
  Type.Object({ type: Type.Literal(name), account: text, ...fields })

/** Without a data key: its addresses are keyed fingerprints. */
export const rosterKind = defineKind<RosterTypes>({
  references: roster,
  decider: rosterDecider,
  events: eventCodec({
    AccountListed: { version: 1, schema: event('AccountListed', { address: text, role }) },
    MarkedActive: { version: 1, schema: event('MarkedActive', {}) },
    ListedRoleChanged: { version: 1, schema: event('ListedRoleChanged', { role }) },
    AccountUnlisted: { version: 1, schema: event('AccountUnlisted', {}) },
  }),
  snapshots: codec({
    version: 1,
    schema: Type.Object({
      entries: Type.Array(Type.Object({ account: text, address: text, role, isActive: Type.Boolean() })),
    }),
  }),
})
