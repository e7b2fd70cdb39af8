import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { newExchangeId } from '../connection/for-exchanges.ts'
import { requestProof } from './request.ts'
import { proof } from './rules.ts'
import { limits } from '../../domain/limits.ts'
import { TENANT_CALLERS } from '../../http/callers/caller.ts'
import { stateQuery } from '../../http/route/list.ts'
import { refusal } from '../../http/route/problem.ts'
import { biometricInput, connectionIdText, referenceImage } from '../exchange-fields.ts'
import type { FaceCheckPorts } from '../face-check/begin.ts'
import { exact, externalId, idText } from '../../http/route/fields.ts'
import { proofAsRequested, proofSchema, proofView } from './record.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import { shownRecord } from '../own-record.ts'
import { readingRoutes } from '../reading-routes.ts'
import { cancelRoute, eraseRoute } from '../ending-routes.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { tags } from '../tags.ts'
import { timelineRoute } from '../timeline.ts'

const refusals = [
  'forbidden',
  'connection_not_found',
  'proof_template_not_found',
  'connection_not_ready',
  'biometric_reference_required',
  'reference_image_invalid',
  'biometric_vendor_missing',
] as const

const proofTemplateIdText = idText('What is asked for.', 'tpl_3b7d9f1h3k5m7p9r1t3v5x7z')

const proofQuery = {
  ...stateQuery,
  connectionId: Type.Optional(connectionIdText),
  proofTemplateId: Type.Optional(proofTemplateIdText),
  verified: Type.Optional(Type.Boolean({ description: 'Whether the proof holds.' })),
}

const requestBody = exact({
  connectionId: connectionIdText,
  proofTemplateId: proofTemplateIdText,
  externalId: Type.Optional(externalId),
  biometric: Type.Optional(biometricInput),
})

/** What states tell of; the first message, and a last one, are steps of their own. */
const messages = { 'presentation-received': 'in:presentation' } as const

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'directory' | 'newNonce' | 'catalogue' | 'forgotten'> &
  FaceCheckPorts

export const proofRoutes = (ports: Ports): readonly Route[] => {
  const { list, show } = readingRoutes(ports, {
    path: '/v1/proofs',
    tag: tags.proofs,
    callers: TENANT_CALLERS,
    kind: 'proof',
    noun: 'proof exchange',
    list: {
      operationId: 'listProofs',
      summary: 'Lists proof exchanges, newest first',
      description: '`q` looks in the external id.',
    },
    show: { operationId: 'getProof', summary: 'Shows a proof exchange' },
    query: proofQuery,
    record: proofSchema,
    view: shownRecord(ports, proof, proofView),
  })
  const ending = {
    path: '/v1/proofs',
    tag: tags.proofs,
    name: 'Proof',
    noun: 'proof exchange',
    references: proof,
    record: proofSchema,
    view: proofView,
  } as const
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/proofs/request',
      operationId: 'requestProof',
      summary: 'Asks the holder of a connection for a proof',
      description:
        'Answers at once; the holder decides later. `proof.state_changed` with the state `done` carries `verified` and `disclosed`. Every proof checks `expiresAt` of the credentials it uses, whatever the template says.',
      tag: tags.proofs,
      access: { callers: TENANT_CALLERS },
      body: requestBody,
      bodyBytesMax: limits.imageBodyBytesMax,
      longText: referenceImage,
      responses: { 202: proofSchema },
      answer: { example: { state: 'request-sent', verified: null, disclosed: null } },
      errors: refusals,
      idempotency: {
        newRecordId: ({ body }) => newExchangeId(proof, body.connectionId, ports.runtime),
        showRecord: shownRecord(ports, proof, proofAsRequested),
      },
      handle: async ({ caller, body, recordId, isRecordNew = false, longText }) => {
        const { connectionId, proofTemplateId, externalId: external = null } = body
        const named = { connectionId, proofTemplateId, externalId: external }
        const image = { referenceImage: longText ?? body.biometric?.referenceImage ?? null }
        const of = { tenant: caller.tenantId, id: recordId, isNew: isRecordNew }
        const asked = await requestProof(ports, { ...of, ...named, ...image })
        if (isRefused(asked)) return refusal(refusals, asked)
        return reply(202, proofView(asked.id, asked.proof))
      },
    }),
    list,
    show,
    timelineRoute(ports, { ...ending, recordType: 'proof', messages }),
    cancelRoute(ports, ending),
    eraseRoute(ports, ending),
  ]
}
