import { atMostOne, type Decider, NOTHING_HAPPENS } from '../../../src/domain/decider.ts'
import { type Change, changeTo } from '../../../src/domain/exchange.ts'
import { referencesTo } from '../../../src/domain/references.ts'
import { refuse } from '../../../src/domain/refused.ts'

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
export type NoteState = { readonly status: 'none' } | NoteRecord

export type NoteCommand =
  | ({ readonly type: 'WriteNote'; readonly id: string } & At & Note)
  | ({ readonly type: 'RecordNoteSent' } & At)
  | ({ readonly type: 'ReceiveRead'; readonly from: string } & At)

type Moved = At & Pick<Note, 'tenant'> & { readonly change: Change<NoteStatus> }

export type NoteEvent =
  | ({ readonly type: 'NoteWritten'; readonly id: string } & Moved & Note)
  | ({ readonly type: 'NoteSent' | 'NoteRead' } & Moved)

export type NoteTypes = {
  readonly state: NoteState
  readonly command: NoteCommand
  readonly event: NoteEvent
  readonly reply: NoteRecord
  readonly views: { readonly record: NoteRecord }
  readonly owed: { readonly id: string; readonly kind: 'send-note'; readonly note: NoteRecord }
}

export const notes = referencesTo<NoteTypes>('nte')
const noSuchNote = refuse('not_found', 'There is no note with this id.')

export const noteDecider: Decider<NoteTypes> = {
  initialState: { status: 'none' },
  decide: (state, command) => {
    if (command.type === 'WriteNote') {
      if (state.status !== 'none') return NOTHING_HAPPENS
      const change = { state: 'written', previousState: null, sequence: 1 } as const
      return [{ ...command, type: 'NoteWritten', change }]
    }
    if (state.status === 'none') return noSuchNote
    const { tenant } = state
    const { atMs } = command
    if (command.type === 'RecordNoteSent')
      return atMostOne(
        state.status === 'written'
          ? { type: 'NoteSent', atMs, tenant, change: changeTo(state, 'sent') }
          : null,
      )
    if (command.from !== state.connectionId) return noSuchNote
    return atMostOne(
      state.status === 'read' ? null : { type: 'NoteRead', atMs, tenant, change: changeTo(state, 'read') },
    )
  },
  evolve: (state, event) => {
    const moved = { status: event.change.state, sequence: event.change.sequence, updatedAtMs: event.atMs }
    if (event.type === 'NoteWritten') {
      const { id, tenant, connectionId, text, atMs } = event
      return { id, tenant, connectionId, text, createdAtMs: atMs, ...moved }
    }
    if (state.status === 'none') throw new Error(`${event.type} before the note was written`)
    return { ...state, ...moved }
  },
  reply: (state) => state as NoteRecord,
  views: { record: (state) => (state.status === 'none' ? noSuchNote : state) },
  owed: (state) => (state.status === 'written' ? [{ id: 'send', kind: 'send-note', note: state }] : []),
}
