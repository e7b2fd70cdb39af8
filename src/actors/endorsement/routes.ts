import { Type } from 'typebox'
import { isRefused, type Refused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { exact, NOT_BLANK, organisationId } from '../../http/route/fields.ts'
import { statusQuery } from '../../http/route/list.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { decideEndorsement } from './commands.ts'
import { endorsementSchema, endorsementView } from './record.ts'
import { ENDORSEMENT_STATUSES, endorsement, type EndorsementRecord } from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'directory'>

const PATH = '/v1/operator/endorsements'
const refusals = ['not_found', 'endorsement_decided'] as const

const reason = Type.String({
  minLength: 1,
  maxLength: limits.endorsementReasonCharactersMax,
  pattern: NOT_BLANK,
  description: 'Why; the organisation reads it as `lastError` of its record.',
  examples: ['The name of the schema is taken by another organisation.'],
})

const readerOf =
  ({ actors }: Ports) =>
  async (id: string): Promise<EndorsementRecord | null> => {
    const ref = endorsement.find(id)
    const found = ref === null ? null : await actors.read(ref)
    return found === null || isRefused(found) ? null : found
  }

const answerOf = (ports: Ports) => async (id: string, found: EndorsementRecord | Refused) =>
  isRefused(found) ? refusal(refusals, found) : reply(200, await endorsementView(ports, id, found))

/** What organisations want to write to the ledger, where an operator decides about each write. */
export const endorsementRoutes = (ports: Ports): readonly Route[] => {
  const read = readerOf(ports)
  const shown = (id: string, found: EndorsementRecord | null) =>
    found === null ? null : endorsementView(ports, id, found)
  const answer = answerOf(ports)
  const { list, show } = readingRoutes(ports, {
    path: PATH,
    tag: tags.operators,
    callers: ['operator'],
    kind: 'endorsement',
    noun: 'endorsement',
    list: {
      operationId: 'listEndorsements',
      summary: 'Lists endorsements, newest first; q looks in the ids of records',
      description:
        'There is one for each attempt to publish, of organisations whose `endorsement` is `manual`. What waits here waits as long as it takes, across restarts.',
    },
    show: { operationId: 'getEndorsement', summary: 'Shows an endorsement' },
    query: { ...statusQuery(ENDORSEMENT_STATUSES), organisationId: Type.Optional(organisationId) },
    record: endorsementSchema,
    view: async (_, id) => shown(id, await read(id)),
  })
  const deciding = {
    method: 'POST',
    tag: tags.operators,
    access: { callers: ['operator'] },
    responses: { 200: endorsementSchema },
    errors: refusals,
    idempotency: {
      newRecordId: ({ params: { id = '' } }: WithId) =>
        endorsement.find(id) ?? newRef(endorsement, ports.runtime),
      // An attempt whose answer was lost has decided, or has it still to do.
      showRecord: async (_: string, id: string) => {
        const found = await read(id)
        return found?.status === 'waiting' ? null : shown(id, found)
      },
    },
    audit: {
      organisation: async ({ params: { id = '' } }: WithId) => (await read(id))?.tenant ?? null,
    },
  } as const
  return [
    list,
    show,
    defineRoute({
      ...deciding,
      path: `${PATH}/{id}/approve`,
      operationId: 'approveEndorsement',
      summary: 'Lets the endorser of the service sign what an organisation wants to write',
      description:
        'What `content` says is written then, and stands on the ledger for ever. The record goes on by itself: `endorsed`, then `published`. Approving it again changes nothing.',
      handle: async ({ caller, params: { id } }) =>
        answer(id, await decideEndorsement(ports, caller, id, null)),
    }),
    defineRoute({
      ...deciding,
      path: `${PATH}/{id}/refuse`,
      operationId: 'refuseEndorsement',
      summary: 'Refuses what an organisation wants to write',
      description:
        'Its record is `failed` with the reason as `lastError`; a retry of the organisation asks for another endorsement.',
      body: exact({ reason }),
      handle: async ({ caller, params: { id }, body }) =>
        answer(id, await decideEndorsement(ports, caller, id, body.reason)),
    }),
  ]
}

type WithId = { readonly params: { readonly id?: string } }
