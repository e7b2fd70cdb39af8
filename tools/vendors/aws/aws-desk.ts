import { headerOf, type WireReply, type WireRequest } from '../wire/request-and-reply.ts'
import type { VendorDesk } from '../wire/simulator.ts'
import type { Call } from '../wire/troubles.ts'
import type { AwsWorld } from './aws-world.ts'
import { Refusal } from './refusal.ts'
import { refused as refusedJson } from './rekognition/json-protocol.ts'
import { internalError, throttled } from './rekognition/refusals.ts'
import { rekognition, TARGET } from './rekognition/rekognition.ts'
import { readAuthorization } from './signature/authorization-header.ts'
import { refusedStream, START_PATH, startLiveness } from './start-liveness.ts'
import { assumeRole, FORM } from './sts/assume-role.ts'
import { refused as refusedXml } from './sts/xml-protocol.ts'

/** Rekognition, its streaming service and STS of one Region behind one address; each request says which it means. */
export const awsDesk = (world: AwsWorld): VendorDesk => ({
  callOf: (request) => ({ account: accountOf(request, world), operation: operationOf(request) }),
  handle: (request, { operation }) => {
    if (operation === 'StartFaceLivenessSession') return startLiveness(request, world)
    if (operation === 'AssumeRole') return assumeRole(request, world)
    return rekognition(request, operation, world)
  },
  throttled: (call) =>
    said(call, {
      json: throttled(),
      stream: new Refusal('ThrottlingException', 'Rate exceeded', 429),
      xml: new Refusal('Throttling', 'Rate exceeded', 400),
    }),
  broken: (call) =>
    said(call, {
      json: internalError(),
      stream: new Refusal('InternalServerException', 'Unexpected error during processing of request.', 500),
      xml: new Refusal('InternalFailure', 'An internal error has occurred.', 500),
    }),
})

type Said = { readonly json: Refusal; readonly stream: Refusal; readonly xml: Refusal }

function said({ operation }: Call, { json, stream, xml }: Said): WireReply {
  if (operation === 'StartFaceLivenessSession') return refusedStream(stream)
  return operation === 'AssumeRole' ? refusedXml(xml) : refusedJson(json)
}

function operationOf(request: WireRequest): string {
  if (request.path === START_PATH) return 'StartFaceLivenessSession'
  const target = headerOf(request, 'x-amz-target')
  if (target?.startsWith(TARGET)) return target.slice(TARGET.length)
  const isForm = headerOf(request, 'content-type')?.startsWith(FORM) ?? false
  return (isForm && new URLSearchParams(request.body.toString()).get('Action')) || 'unknown'
}

function accountOf(request: WireRequest, { accounts }: AwsWorld): string | null {
  const authorization = readAuthorization(headerOf(request, 'authorization') ?? '')
  if (typeof authorization === 'string') return null
  return accounts.key(authorization.accessKeyId)?.principal.account ?? null
}
