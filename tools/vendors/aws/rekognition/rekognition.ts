import { type Json, jsonOf } from '../../wire/json.ts'
import { headerOf, type WireRequest } from '../../wire/request-and-reply.ts'
import type { Sighting } from '../../wire/heard.ts'
import type { Handled } from '../../wire/simulator.ts'
import { type AwsWorld, contextOf } from '../aws-world.ts'
import { denialOf } from '../iam/authorise.ts'
import { isRefusal, Refusal } from '../refusal.ts'
import { checkSignature } from '../signature/check-signature.ts'
import { compareFaces } from './compare-faces.ts'
import { createSession } from './create-session.ts'
import { answered, codeOfFault, CONTENT_TYPE, faulty, refused } from './json-protocol.ts'
import { accessDenied, throughputExceeded } from './refusals.ts'
import { sessionResults } from './session-results.ts'

type Done = {
  readonly answer: Json | Refusal
  readonly images?: readonly Sighting[]
}

type Operation = (input: Json, account: string, world: AwsWorld) => Done

const OPERATIONS: Readonly<Record<string, Operation>> = {
  CreateFaceLivenessSession: (input, account, { sessions }) => ({
    answer: createSession(input, { account, sessions }),
  }),
  GetFaceLivenessSessionResults: (input, account, { sessions, manner: { afterExpiry } }) => ({
    answer: sessionResults(input, { account, sessions, afterExpiry }),
  }),
  CompareFaces: (input) => compareFaces(input),
}

export const TARGET = 'RekognitionService.'

/** The operations of Rekognition that a server calls, in AWS JSON 1.1. */
export const rekognition = (request: WireRequest, operation: string, world: AwsWorld): Handled => {
  const run = Object.hasOwn(OPERATIONS, operation) ? OPERATIONS[operation] : undefined
  const isOurs = request.method === 'POST' && request.path === '/' && request.query === ''
  if (run === undefined || !isOurs || headerOf(request, 'content-type') !== CONTENT_TYPE)
    return refusing(new Refusal('UnknownOperationException', 'The operation is not known.'))
  const { region, accounts, clock } = world
  const signed = checkSignature(request, { region, service: 'rekognition', accounts, wallMs: clock.wallMs })
  if ('fault' in signed) return { reply: faulty(signed), code: codeOfFault(signed) }
  const { principal } = signed
  const input = jsonOf(request.body.toString())
  if (input === null) return refusing(new Refusal('SerializationException', 'The body is not a JSON object.'))
  const access = { action: `rekognition:${operation}`, resource: '*', context: contextOf(world) }
  const denial = denialOf(principal, access)
  if (denial !== null) return refusing(accessDenied(denial))
  if (world.quotas.isExceeded(`${principal.account} ${operation}`, world.manner.quota))
    return refusing(throughputExceeded())
  const { answer, images = [] } = run(input, principal.account, world)
  const named = isRefusal(answer) ? input : { ...input, ...answer }
  const sessionId = typeof named['SessionId'] === 'string' ? named['SessionId'] : null
  return {
    ...(isRefusal(answer) ? refusing(answer) : { reply: answered(answer) }),
    images,
    ...(sessionId !== null && { sessionId }),
  }
}

const refusing = (refusal: Refusal): Handled => ({ reply: refused(refusal), code: refusal.code })
