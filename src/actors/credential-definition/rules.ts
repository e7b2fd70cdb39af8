import { atMostOne, NOTHING_HAPPENS, impossibleEvent, refuse, type Decider } from '../../domain/decider.ts'
import {
  decidePublishing,
  evolvePublishing,
  isOnItsWay,
  isPublishingCommand,
  isPublishingEvent,
  owesEndorsement,
  owesWriting,
  type Publishing,
  type PublishingCommand,
  type PublishingEvent,
} from '../../domain/publishing.ts'
import { recordDecider, type RecordTypes } from '../../domain/record.ts'
import { referencesTo } from '../../domain/references.ts'

/** Its keys are made while it is `pending`; what becomes of it then: `src/domain/publishing.ts`. */
type Facts = Pick<Publishing, 'tenant' | 'endorsement'> & {
  readonly schema: {
    readonly id: string
    readonly ledgerId: string
    readonly seqNo: number
    readonly name: string
    readonly version: string
    readonly attributes: readonly string[]
  }
  readonly tag: string
}

/** Texts as the cryptography gave them. `privatePart` signs credentials; it is sealed wherever it is kept. */
export type DefinitionKeys = {
  readonly publicPart: string
  readonly keyCorrectnessProof: string
  readonly privatePart: string | null
}

/** What everybody may know of it. The private part travels in the one view that is asked for it. */
export type DefinitionRecord = Publishing &
  Facts & {
    /** When its keys were begun last; null, or left out, while they wait for their turn. */
    readonly keysBegunAtMs?: number | null
    readonly keys: Omit<DefinitionKeys, 'privatePart'> | null
    readonly ledgerId: string | null
    readonly createdAtMs: number
  }
type Whole = DefinitionRecord & Pick<DefinitionKeys, 'privatePart'>

type Timed = { readonly atMs: number }

export type DefinitionCommand =
  | PublishingCommand
  | ({ readonly type: 'PublishDefinition' } & Timed & Facts)
  | ({ readonly type: 'RecordKeysBegun' | 'RecordKeysQueued' } & Timed)
  | ({ readonly type: 'RecordKeysGenerated' } & Timed & DefinitionKeys)
  | ({ readonly type: 'RecordDefinitionPublished'; readonly ledgerId: string } & Timed)
  | ({ readonly type: 'RecordDefinitionRefused'; readonly reason: string } & Timed)

export type DefinitionEvent =
  | PublishingEvent
  | ({ readonly type: 'DefinitionOrdered' } & Timed & Facts)
  | ({ readonly type: 'KeysBegun' | 'KeysQueued' } & Timed)
  | ({ readonly type: 'KeysGenerated' } & Timed & DefinitionKeys)
  | ({ readonly type: 'DefinitionPublished'; readonly ledgerId: string } & Timed)
  | ({ readonly type: 'DefinitionRefused'; readonly reason: string } & Timed)

export type DefinitionEffect = {
  readonly id: string
  readonly kind: 'generate-keys' | 'ask-endorsement' | 'publish-definition'
  readonly definition: DefinitionRecord
}

type WholeTypes = RecordTypes<Whole, DefinitionCommand, DefinitionEvent, DefinitionEffect>
export type DefinitionTypes = Omit<WholeTypes, 'reply' | 'views'> & {
  readonly reply: DefinitionRecord
  readonly views: {
    readonly record: DefinitionRecord
    /** All that may change of one that is published: every offer asks, and other nodes have copies without its keys. */
    readonly status: Pick<Whole, 'tenant' | 'status'>
    readonly privatePart: Pick<Whole, 'tenant' | 'privatePart'>
  }
}

export const credentialDefinition = referencesTo<DefinitionTypes>('def')

const noSuchDefinition = refuse(
  'credential_definition_not_found',
  'There is no credential definition with this id.',
)

const recordOf = (whole: Whole): DefinitionRecord => {
  const { privatePart: _, ...definition } = whole
  return definition
}

type OwnCommand = Exclude<DefinitionCommand, PublishingCommand | { type: 'PublishDefinition' }>

/** While its keys are to be made. */
const decideKeys = ({ keysBegunAtMs }: Whole, command: OwnCommand): readonly DefinitionEvent[] => {
  const { atMs } = command
  switch (command.type) {
    case 'RecordKeysBegun':
      return [{ type: 'KeysBegun', atMs }]
    case 'RecordKeysQueued':
      return atMostOne(typeof keysBegunAtMs === 'number' ? { type: 'KeysQueued', atMs } : null)
    case 'RecordKeysGenerated':
      return [{ ...command, type: 'KeysGenerated' }]
    case 'RecordDefinitionRefused':
      return [{ ...command, type: 'DefinitionRefused' }]
    case 'RecordDefinitionPublished':
      return NOTHING_HAPPENS
  }
}

const wholeDecider: Decider<WholeTypes> = recordDecider({
  unknown: noSuchDefinition,
  first: ['PublishDefinition', 'DefinitionOrdered'],
  create: (command) => {
    const problem = tagProblem(command.tag)
    return problem === null ? { ...command, type: 'DefinitionOrdered' } : refuse('invalid_request', problem)
  },
  created: (facts, atMs) => ({
    ...facts,
    status: 'pending',
    keys: null,
    privatePart: null,
    ledgerId: null,
    lastError: null,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }),
  decide: (whole, command) => {
    if (isPublishingCommand(command))
      return decidePublishing(whole, command, 'credential_definition_not_published')
    // Keys that were made twice after a crash: the first that were committed are the ones.
    if (whole.status === 'pending' && whole.keys === null) return decideKeys(whole, command)
    if (!owesWriting(whole)) return NOTHING_HAPPENS
    switch (command.type) {
      case 'RecordKeysBegun':
      case 'RecordKeysQueued':
      case 'RecordKeysGenerated':
        return NOTHING_HAPPENS
      case 'RecordDefinitionPublished':
        return [{ ...command, type: 'DefinitionPublished' }]
      case 'RecordDefinitionRefused':
        return [{ ...command, type: 'DefinitionRefused' }]
    }
  },
  evolve: (whole, event) => {
    if (isPublishingEvent(event)) return { ...whole, ...evolvePublishing(whole, event), keysBegunAtMs: null }
    if (!isOnItsWay(whole)) throw impossibleEvent(event, whole.status)
    const at = { ...whole, updatedAtMs: event.atMs }
    switch (event.type) {
      case 'KeysBegun':
        return { ...at, keysBegunAtMs: event.atMs }
      case 'KeysQueued':
        return { ...at, keysBegunAtMs: null }
      case 'KeysGenerated': {
        if (whole.keys !== null) throw impossibleEvent(event, whole.status)
        const { publicPart, keyCorrectnessProof, privatePart } = event
        return { ...at, keys: { publicPart, keyCorrectnessProof }, privatePart }
      }
      case 'DefinitionPublished':
        if (whole.keys === null) throw impossibleEvent(event, whole.status)
        return { ...at, status: 'published', ledgerId: event.ledgerId }
      case 'DefinitionRefused':
        return { ...at, status: 'failed', lastError: event.reason }
    }
  },
  owed: (whole) => {
    if (!isOnItsWay(whole)) return []
    const definition = recordOf(whole)
    if (whole.keys === null) return [{ id: 'keys', kind: 'generate-keys', definition }]
    if (owesEndorsement(whole)) return [{ id: 'endorsement', kind: 'ask-endorsement', definition }]
    return owesWriting(whole) ? [{ id: 'publish', kind: 'publish-definition', definition }] : []
  },
})

export const definitionDecider: Decider<DefinitionTypes> = {
  ...wholeDecider,
  reply: (state) => recordOf(state as Whole),
  views: {
    record: (state) => (state.status === 'none' ? noSuchDefinition : recordOf(state)),
    status: (state) =>
      state.status === 'none' ? noSuchDefinition : { tenant: state.tenant, status: state.status },
    privatePart: (state) =>
      state.status === 'none' ? noSuchDefinition : { tenant: state.tenant, privatePart: state.privatePart },
  },
}

export const TAG = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/

/** What is wrong with a tag, as a sentence; null when nothing is. */
export const tagProblem = (tag: string): string | null =>
  TAG.test(tag) ? null : 'tag must have 1 to 100 characters: letters, digits, point, hyphen, underscore.'
