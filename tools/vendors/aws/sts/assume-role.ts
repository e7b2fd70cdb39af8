import { headerOf, type WireRequest } from '../../wire/request-and-reply.ts'
import type { Handled } from '../../wire/simulator.ts'
import { code, type Principal, type Role } from '../accounts.ts'
import { type AwsWorld, contextOf } from '../aws-world.ts'
import { assumptionDenialOf } from '../iam/authorise.ts'
import { parsePolicy, type PolicyDocument } from '../iam/policy-document.ts'
import { isRefusal, Refusal } from '../refusal.ts'
import { checkSignature } from '../signature/check-signature.ts'
import { answered, codeOfFault, type Elements, refused } from './xml-protocol.ts'

export const FORM = 'application/x-www-form-urlencoded'

const PARAMETERS = [
  'Action',
  'Version',
  'RoleArn',
  'RoleSessionName',
  'DurationSeconds',
  'Policy',
  'ExternalId',
]
const SECONDS_MIN = 900
const SECONDS_UNLESS_TOLD = 3_600
const POLICY_CHARACTERS_MAX = 2_048

/** `AssumeRole` of STS, in the query protocol. */
export const assumeRole = (request: WireRequest, world: AwsWorld): Handled => {
  const { region, accounts, clock } = world
  const signed = checkSignature(request, { region, service: 'sts', accounts, wallMs: clock.wallMs })
  if ('fault' in signed) {
    const [faultCode, status] = codeOfFault(signed)
    return refusing(new Refusal(faultCode, signed.message, status))
  }
  const wanted = wantedOf(request)
  if (isRefusal(wanted)) return refusing(wanted)
  const role = accounts.role(wanted.roleArn)
  const denial = assumptionDenialOf(signed.principal, role?.trust ?? null, {
    action: 'sts:AssumeRole',
    resource: wanted.roleArn,
    context: {
      ...contextOf(world),
      'sts:rolesessionname': wanted.sessionName,
      ...(wanted.externalId !== null && { 'sts:externalid': wanted.externalId }),
    },
  })
  if (denial !== null || role === undefined)
    return refusing(new Refusal('AccessDenied', denial ?? 'Access denied', 403))
  if (wanted.seconds > role.maxSessionSeconds)
    return refusing(
      invalid('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.'),
    )
  return { reply: answered('AssumeRole', lent(role, wanted, world)) }
}

type Wanted = {
  readonly roleArn: string
  readonly sessionName: string
  readonly seconds: number
  readonly policy: PolicyDocument | null
  readonly externalId: string | null
}

function wantedOf(request: WireRequest): Wanted | Refusal {
  const isForm = headerOf(request, 'content-type')?.split(';')[0] === FORM
  const form = new URLSearchParams(request.body.toString())
  if (request.method !== 'POST' || request.path !== '/' || !isForm || form.get('Version') !== '2011-06-15')
    return new Refusal('InvalidAction', 'Could not find operation for version')
  const stranger = [...form.keys()].find((name) => !PARAMETERS.includes(name))
  if (stranger !== undefined) return invalid(`The parameter ${stranger} is not simulated`)
  const [roleArn, sessionName] = [form.get('RoleArn') ?? '', form.get('RoleSessionName') ?? '']
  if (!/^arn:aws:iam::\d{12}:role\/[\w+=,.@/-]{1,}$/.test(roleArn)) return invalid(`${roleArn} is invalid`)
  if (!/^[\w+=,.@-]{2,64}$/.test(sessionName)) return constraint('roleSessionName')
  const seconds = Number(form.get('DurationSeconds') ?? SECONDS_UNLESS_TOLD)
  if (!Number.isInteger(seconds) || seconds < SECONDS_MIN) return constraint('durationSeconds')
  const text = form.get('Policy')
  if (text !== null && text.length > POLICY_CHARACTERS_MAX) return constraint('policy')
  const policy = text === null ? null : parsePolicy(text, 'identity')
  if (typeof policy === 'string')
    return new Refusal('MalformedPolicyDocument', `The policy is refused: ${policy}.`)
  return { roleArn, sessionName, seconds, policy, externalId: form.get('ExternalId') }
}

function lent(role: Role, { sessionName, seconds, policy }: Wanted, { accounts }: AwsWorld): Elements {
  const arn = `arn:aws:sts::${role.account}:assumed-role/${role.name}/${sessionName}`
  const principal: Principal = { account: role.account, arn, policies: role.policies, sessionPolicy: policy }
  const { accessKeyId, secretAccessKey, sessionToken, expiresAtMs } = accounts.lend(principal, seconds)
  return [
    [
      'AssumedRoleUser',
      [
        ['AssumedRoleId', `AROA${code(17)}:${sessionName}`],
        ['Arn', arn],
      ],
    ],
    [
      'Credentials',
      [
        ['AccessKeyId', accessKeyId],
        ['SecretAccessKey', secretAccessKey],
        ['SessionToken', sessionToken],
        ['Expiration', new Date(expiresAtMs).toISOString().replace(/\.\d+/, '')],
      ],
    ],
  ]
}

const invalid = (message: string): Refusal => new Refusal('ValidationError', message)

const constraint = (name: string): Refusal =>
  invalid(`1 validation error detected: Value at '${name}' failed to satisfy constraint`)

const refusing = (refusal: Refusal): Handled => ({ reply: refused(refusal), code: refusal.code })
