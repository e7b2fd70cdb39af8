import { Type } from 'typebox'
import {
  type RosterCommand,
  type RosterEvent,
  type RosterReply,
  type RosterState,
  rosterDecider,
} from './rules.ts'
import { codec, eventCodec } from '../../host/codec.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { oneOf, text } from '../stored-fields.ts'

const ROSTER = 'ros'

/** Lives where its organisation lives, and its accounts with it, so that both change together. */
export const rosterOf = (organisation: string | null): string =>
  organisation === null
    ? `${ROSTER}_00operators`
    : `${ROSTER}${organisation.slice(organisation.indexOf('_'))}`

const role = oneOf(['admin', 'viewer', 'operator'])
const moved = <const Name extends string>(name: Name) =>
  Type.Object({ type: Type.Literal(name), account: text })

export const rosterActor = (): OldActorDefinition<RosterState, RosterCommand, RosterEvent, RosterReply> =>
  defineActor({
    kind: ROSTER,
    decider: rosterDecider,
    events: eventCodec({
      AccountListed: {
        version: 1,
        schema: Type.Object({ type: Type.Literal('AccountListed'), account: text, address: text, role }),
      },
      MarkedActive: { version: 1, schema: moved('MarkedActive') },
      ListedRoleChanged: {
        version: 1,
        schema: Type.Object({ type: Type.Literal('ListedRoleChanged'), account: text, role }),
      },
      AccountUnlisted: { version: 1, schema: moved('AccountUnlisted') },
    }),
    snapshots: codec({
      version: 1,
      schema: Type.Object({
        entries: Type.Array(Type.Object({ account: text, address: text, role, isActive: Type.Boolean() })),
      }),
    }),
    snapshotEvery: 50,
    // Addresses are keyed fingerprints.
    keyParent: null,
    erased: () => false,
    perform: (effect) => Promise.reject(new Error(`a roster owes nothing, also not ${effect.kind}`)),
    onTimer: (timerId) => {
      throw new Error(`a roster has no timer ${timerId}`)
    },
  })
