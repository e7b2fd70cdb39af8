import { atMostOne, refuse, type Decider } from '../../../src/domain/decider.ts'
import { changeTo, firstChange, type Change } from '../../../src/domain/exchange.ts'
import { recordDecider, type RecordTypes } from '../../../src/domain/record.ts'
import { referencesTo } from '../../../src/domain/references.ts'

type At = { readonly atMs: number }

type Note = {
  readonly tenant: string
  readonly connectionId: string
  /** Personal; null once it is erased. */
  readonly text: string | null
}

type NoteStatus = 'written' | 'sent' | 'read'

export type NoteRecord = Note & {
  readonly id: string
  readonly status: NoteStatus
  readonly sequence: number
  readonly createdAtMs: number
  readonly updatedAtMs: number
}

export type NoteCommand =
  | ({ readonly type: 'WriteNote'; readonly id: string } & At & Note)
  | ({ readonly type: 'RecordNoteSent' } & At)
  | ({ readonly type: 'ReceiveRead'; readonly from: string } & At)

type Moved = At & Pick<Note, 'tenant'> & { readonly change: Change<NoteStatus> }

export type NoteEvent =
  | ({ readonly type: 'NoteWritten'; readonly id: string } & Moved & Note)
  | ({ readonly type: 'NoteSent' | 'NoteRead' } & Moved)

type SendNote = { readonly id: string; readonly kind: 'send-note'; readonly owed: NoteRecord }

export type NoteTypes = RecordTypes<NoteRecord, NoteCommand, NoteEvent, SendNote>

export const note = referencesTo<NoteTypes>('nte')
const noSuchNote = refuse('not_found', 'There is no note with this id.')

export const noteDecider: Decider<NoteTypes> = recordDecider({
  unknown: noSuchNote,
  first: ['WriteNote', 'NoteWritten'],
  create: (command) => ({ ...command, type: 'NoteWritten', change: firstChange('written') }),
  created: ({ change: { sequence }, ...written }, atMs) => ({
    ...written,
    status: 'written',
    sequence,
    createdAtMs: atMs,
    updatedAtMs: atMs,
  }),
  decide: (record, command) => {
    const { tenant, status } = record
    const { atMs } = command
    if (command.type === 'RecordNoteSent')
      return atMostOne(
        status === 'written' ? { type: 'NoteSent', atMs, tenant, change: changeTo(record, 'sent') } : null,
      )
    if (command.from !== record.connectionId) return noSuchNote
    return atMostOne(
      status === 'read' ? null : { type: 'NoteRead', atMs, tenant, change: changeTo(record, 'read') },
    )
  },
  evolve: (record, { atMs, change: { state, sequence } }) => ({
    ...record,
    status: state,
    sequence,
    updatedAtMs: atMs,
  }),
  owed: (record) => (record.status === 'written' ? [{ id: 'send', kind: 'send-note', owed: record }] : []),
})
