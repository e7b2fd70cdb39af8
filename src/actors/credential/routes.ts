import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { newExchangeId } from '../connection/for-exchanges.ts'
import { offerCredential } from './offer.ts'
import { credential } from './rules.ts'
import { limits } from '../../domain/limits.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { stateQuery } from '../../http/route/list.ts'
import { refusal } from '../../http/route/problem.ts'
import { OFFER_PATH, offerBody } from './offer-body.ts'
import { credentialAsOffered, credentialSchema, credentialView } from './record.ts'
import { connectionIdText, referenceImage } from '../exchange-fields.ts'
import type { FaceCheckPorts } from '../face-check/begin.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { shownRecord } from '../own-record.ts'
import { readingRoutes } from '../reading-routes.ts'
import { cancelRoute, eraseRoute } from '../ending-routes.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { timelineRoute } from '../timeline.ts'

const refusals = [
  'invalid_request',
  'forbidden',
  'connection_not_found',
  'credential_definition_not_found',
  'connection_not_ready',
  'credential_definition_not_published',
  'attributes_mismatch',
  'attributes_too_many',
  'attribute_name_too_long',
  'attribute_value_too_large',
  'attributes_too_large',
  'expires_at_required',
  'expires_at_invalid',
  'biometric_reference_required',
  'reference_image_invalid',
] as const

/** What states tell of; the first message, and a last one, are steps of their own. */
const messages = {
  'request-received': 'in:request-credential',
  'credential-issued': 'out:issue-credential',
  done: 'in:ack',
} as const

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'newNonce' | 'catalogue' | 'directory' | 'forgotten'> &
  FaceCheckPorts

export const credentialRoutes = (ports: Ports): readonly Route[] => {
  const { list, show } = readingRoutes(ports, {
    path: '/v1/credentials',
    tag: tags.credentials,
    callers: TENANT_CALLERS,
    kind: 'credential',
    noun: 'credential exchange',
    list: {
      operationId: 'listCredentials',
      summary: 'Lists credential exchanges, newest first',
      description: '`q` looks in the external id.',
    },
    show: { operationId: 'getCredential', summary: 'Shows a credential exchange' },
    query: { ...stateQuery, connectionId: Type.Optional(connectionIdText) },
    record: credentialSchema,
    view: shownRecord(ports, credential, credentialView),
  })
  const ending = {
    path: '/v1/credentials',
    tag: tags.credentials,
    name: 'Credential',
    noun: 'credential exchange',
    references: credential,
    record: credentialSchema,
    view: credentialView,
  } as const
  return [
    defineRoute({
      method: 'POST',
      path: OFFER_PATH,
      operationId: 'offerCredential',
      summary: 'Offers a credential to the holder of a connection',
      description:
        'Answers at once; the holder decides minutes or hours later. `credential.state_changed` tells each step up to `done`. A holder who is silent for 24 hours lets the exchange end as `abandoned`. The values are signed into a credential that is kept in the wallet alone.',
      tag: tags.credentials,
      access: { callers: TENANT_CALLERS },
      body: offerBody,
      bodyBytesMax: limits.imageBodyBytesMax,
      longText: referenceImage,
      responses: { 202: credentialSchema },
      errors: refusals,
      idempotency: {
        newRecordId: ({ body }) => newExchangeId(credential, body.connectionId, ports.runtime),
        showRecord: shownRecord(ports, credential, credentialAsOffered),
      },
      handle: async ({ caller, body, recordId, isRecordNew = false, longText }) => {
        const { connectionId, credentialDefinitionId, attributes, externalId: external = null } = body
        const named = { connectionId, credentialDefinitionId, attributes, externalId: external }
        const image = { referenceImage: longText ?? body.biometric?.referenceImage ?? null }
        const of = { tenant: caller.tenantId, id: recordId, isNew: isRecordNew }
        const offered = await offerCredential(ports, { ...of, ...named, ...image })
        if (isRefused(offered)) return refusal(refusals, offered)
        return reply(202, credentialView(offered.id, offered.credential))
      },
    }),
    list,
    show,
    timelineRoute(ports, { ...ending, recordType: 'credential', messages }),
    cancelRoute(ports, ending),
    eraseRoute(ports, ending),
  ]
}
