import { Type } from 'typebox'
import { createExchange, newExchangeId } from '../../../src/actors/connection/for-exchanges.ts'
import type { ApiPorts } from '../../../src/actors/kind-ports.ts'
import { shownRecord } from '../../../src/actors/own-record.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import { TENANT_CALLERS } from '../../../src/http/callers/caller.ts'
import {
  connectionIdText,
  exact,
  isoTime,
  recordOf,
  recordTimes,
  words,
  wordsOrNull,
} from '../../../src/http/route/fields.ts'
import { exchangeQuery, listPage, pageOf, pageReply } from '../../../src/http/route/list.ts'
import { refusal } from '../../../src/http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../../src/http/route/route.ts'
import { note, type NoteRecord } from './rules.ts'

export const chapter = {
  name: 'Notes',
  description: 'Write a few words to a holder.',
  group: 'For your backend',
} as const

const refusals = ['connection_not_found', 'connection_not_ready'] as const

const noteSchema = recordOf('Note', {
  id: words('Names the note.', 'nte_5f8d2k4m6p7q9r1s3t5v0w2z'),
  connectionId: words('The connection to the holder.', 'con_5f8d2k4m6p7q9r1s3t5v0w2x'),
  text: wordsOrNull('What it says.', 'See you on Monday'),
  state: words('written, sent, or read.', 'read'),
  ...recordTimes,
})

const noteView = (id: string, { connectionId, text, status, createdAtMs, updatedAtMs }: NoteRecord) => ({
  id,
  connectionId,
  text,
  state: status,
  createdAt: isoTime(createdAtMs),
  updatedAt: isoTime(updatedAtMs),
})

const forTenants = { tag: chapter, access: { callers: TENANT_CALLERS } } as const

export const noteRoutes = (ports: Pick<ApiPorts, 'actors' | 'runtime' | 'directory'>): readonly Route[] => {
  const show = shownRecord(ports, note, noteView)
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/notes',
      operationId: 'writeNote',
      summary: 'Writes a note to the holder of a connection',
      ...forTenants,
      body: exact({
        connectionId: connectionIdText,
        text: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'What it says.',
          examples: ['Hello'],
        }),
      }),
      responses: { 202: noteSchema },
      errors: refusals,
      idempotency: {
        newRecordId: ({ body }) => newExchangeId(note, body.connectionId, ports.runtime),
        showRecord: show,
        storedFields: ['connectionId', 'state', 'createdAt', 'updatedAt'],
      },
      handle: async ({ caller: { tenantId: tenant }, body: { connectionId, text }, recordId }) => {
        const ref = note.ref(recordId ?? newExchangeId(note, connectionId, ports.runtime))
        const content = { id: ref, tenant, connectionId, text, atMs: ports.runtime.now() }
        const written = await createExchange(ports, content, ref, { type: 'WriteNote', ...content })
        return isRefused(written) ? refusal(refusals, written) : reply(202, noteView(ref, written))
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/v1/notes',
      operationId: 'listNotes',
      summary: 'Lists notes, newest first',
      description: '`q` looks in the text.',
      ...forTenants,
      query: Type.Object({ ...exchangeQuery, connectionId: Type.Optional(connectionIdText) }),
      responses: { 200: pageOf(noteSchema) },
      errors: ['invalid_request'],
      handle: async ({ caller: { tenantId: tenant }, query, head }) => {
        const of = { tenant, kind: 'note' }
        return pageReply(head, await listPage(ports.directory, of, query, (id) => show(tenant, id)))
      },
    }),
  ]
}
