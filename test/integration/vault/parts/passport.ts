import { type Static, Type } from 'typebox'
import { codec, eventCodec } from '../../../../src/host/codec.ts'
import { actorDefinition } from '../../../../src/host/definition.ts'
import type { Decider } from '../../../../src/domain/decider.ts'

const Text = Type.Union([Type.String(), Type.Null()])
const events = {
  PassportIssued: {
    version: 1,
    schema: Type.Object({ type: Type.Literal('PassportIssued'), name: Text, number: Text }),
    personal: ['name', 'number'],
  },
  PassportNoted: {
    version: 1,
    schema: Type.Object({ type: Type.Literal('PassportNoted'), note: Text }),
    personal: ['note'],
  },
  PassportErased: { version: 1, schema: Type.Object({ type: Type.Literal('PassportErased') }) },
} as const

const State = Type.Object({
  status: Type.Union([Type.Literal('none'), Type.Literal('issued'), Type.Literal('erased')]),
  name: Text,
  number: Text,
  lastNote: Text,
  notes: Type.Integer(),
})
export type Passport = Static<typeof State>

type PassportEvent = {
  [Type in keyof typeof events]: Static<(typeof events)[Type]['schema']>
}[keyof typeof events]

export type PassportCommand =
  | {
      readonly type: 'Issue'
      readonly tenant: string
      readonly holder: string | null
      readonly name: string
      readonly number: string
    }
  | { readonly type: 'Note'; readonly note: string }
  | { readonly type: 'Erase' }
  | { readonly type: 'Read' }

type PassportTypes = {
  readonly state: Passport
  readonly command: PassportCommand
  readonly event: PassportEvent
  readonly reply: Passport
  readonly views: { readonly record: Passport }
  readonly owed: never
}

const decider: Decider<PassportTypes> = {
  initialState: { status: 'none', name: null, number: null, lastNote: null, notes: 0 },
  decide: (state, command) => eventsOf(state, command),
  reply: (state) => state,
  evolve,
  views: { record: (state) => state },
}

const eventsOf = (state: Passport, command: PassportCommand): readonly PassportEvent[] => {
  switch (command.type) {
    case 'Issue':
      return [{ type: 'PassportIssued', name: command.name, number: command.number }]
    case 'Note':
      return [{ type: 'PassportNoted', note: command.note }]
    case 'Erase':
      return state.status === 'erased' ? [] : [{ type: 'PassportErased' }]
    case 'Read':
      return []
  }
}

function evolve(state: Passport, event: PassportEvent): Passport {
  switch (event.type) {
    case 'PassportIssued':
      return { ...state, status: 'issued', name: event.name, number: event.number }
    case 'PassportNoted':
      return { ...state, lastNote: event.note, notes: state.notes + 1 }
    case 'PassportErased':
      return { ...state, status: 'erased', name: null, number: null, lastNote: null }
  }
}

const definitionOf = (kind: string) =>
  actorDefinition<PassportTypes>({
    kind,
    decider,
    events: eventCodec(events),
    snapshots: codec({ version: 1, schema: State, personal: ['name', 'number', 'lastNote'] }),
    snapshotEvery: 3,
    keyParent: (_, first) => {
      if (first.type !== 'Issue') throw new Error('a passport begins with its issue')
      return { tenant: first.tenant, connection: first.holder }
    },
    erased: ({ status }) => status === 'erased',
  })

/** A record with personal data, its key under that of another such record: as an exchange under its connection. */
export const passport = definitionOf('pas')
export const holder = definitionOf('hol')
