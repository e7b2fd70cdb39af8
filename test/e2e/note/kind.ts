import { writeToHolder } from '../../../src/actors/connection/for-exchanges.ts'
import { defineKind, keysAbove } from '../../../src/actors/define-kind.ts'
import { rowOfRecord } from '../../../src/actors/rows.ts'
import { stateChanged, stateChangedEvent } from '../../../src/actors/state-changed.ts'
import { changeOf, oneOf, storedRecord, text, textOrNull, time } from '../../../src/actors/stored-fields.ts'
import { composeMessage, isType } from '../../../src/didcomm/message.ts'
import { wordsOrNull } from '../../../src/http/route/fields.ts'
import { chapter, noteRoutes } from './routes.ts'
import { note, noteDecider, type NoteTypes } from './rules.ts'

const PROTOCOL = 'note/1.0'

const statuses = ['written', 'sent', 'read'] as const
const moved = { tenant: text, change: changeOf(statuses) }
const written = { id: text, tenant: text, connectionId: text, text: textOrNull }

/** A few words to a holder, whose wallet says when they were read: a kind that the service itself does not have. */
export const noteKind = defineKind<NoteTypes>({
  references: note,
  decider: noteDecider,
  ...storedRecord({
    personal: ['text'],
    events: { NoteWritten: { ...written, change: moved.change }, NoteSent: moved, NoteRead: moved },
    records: [{ ...written, status: oneOf(statuses), sequence: time, createdAtMs: time, updatedAtMs: time }],
  }),
  keyParent: keysAbove,
  tenantOf: (state) => (state.status === 'none' ? null : state.tenant),
  effects: (ports) => ({
    perform: async ({ owed: { id, connectionId, text: words } }, context) => {
      const message = () => composeMessage({ id, type: `${PROTOCOL}/note`, text: words })
      await writeToHolder(ports, connectionId, context, message)
      return { type: 'RecordNoteSent', atMs: ports.runtime.now() }
    },
  }),
  holderMessages: {
    protocol: PROTOCOL,
    proposal: 'propose-note',
    commandOf: (message, frame) =>
      isType(message, PROTOCOL, 'read') ? { type: 'ReceiveRead', ...frame } : null,
  },
  listed: {
    list: 'note',
    row: (record) =>
      rowOfRecord(record, { filters: { connectionId: record.connectionId }, texts: [record.text] }),
  },
  published: {
    events: [
      {
        ...stateChangedEvent(
          'note',
          'A note has changed its state',
          { id: 'nte_5f8d2k4m6p7q9r1s3t5v0w2z', state: 'read', previousState: 'sent' },
          { text: wordsOrNull('What it says; only in its first event.', 'See you on Monday') },
        ),
        tag: chapter,
      },
    ],
    publish: (actor, happened, stored) => {
      const changed = stateChanged('note', actor, { ...happened, externalId: null }, { text: null })
      return happened.type === 'NoteWritten' ? { ...changed, sealed: stored } : changed
    },
    personalData: (happened) => (happened.type === 'NoteWritten' ? { text: happened.text } : {}),
  },
  routes: noteRoutes,
})
