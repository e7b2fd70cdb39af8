import { onTestFinished } from 'vitest'
import type { AwsAccount } from '../../../../tools/vendors/aws/accounts.ts'
import { signingTime } from '../../../../tools/vendors/aws/signature/signature.ts'
import { type AwsOrders, startAws } from '../../../../tools/vendors/aws/start-aws.ts'
import { ordersAt } from '../../../../tools/vendors/wire/orders.ts'
import { authorizationFor, type Signing } from './sign.ts'

export const REGION = 'eu-west-1'

export const statement = (actions: readonly string[], resource = '*', effect = 'Allow') => ({
  Version: '2012-10-17',
  Statement: [{ Effect: effect, Action: actions, Resource: resource }],
})

const DEVICE_ROLE = 'vouchsafe-device'

/** An organisation's account as the guides would have it: a user for the service, and a role for devices. */
const accountOf = (id: string, keyId: string): AwsAccount => ({
  id,
  users: [
    {
      name: 'vouchsafe',
      accessKeyId: keyId,
      secretAccessKey: `secret of ${id}`,
      policies: [
        statement([
          'rekognition:CreateFaceLivenessSession',
          'rekognition:GetFaceLivenessSessionResults',
          'rekognition:CompareFaces',
        ]),
        statement(['sts:AssumeRole'], `arn:aws:iam::${id}:role/${DEVICE_ROLE}`),
      ],
    },
  ],
  roles: [
    {
      name: DEVICE_ROLE,
      trust: {
        Version: '2012-10-17',
        Statement: {
          Effect: 'Allow',
          Action: 'sts:AssumeRole',
          Principal: { AWS: `arn:aws:iam::${id}:root` },
        },
      },
      policies: [statement(['rekognition:StartFaceLivenessSession'])],
    },
  ],
})

export const OURS = accountOf('111122223333', 'AKIAIOSFODNN7EXAMPLE')
export const THEIRS = accountOf('444455556666', 'AKIAI44QH8DHBEXAMPLE')

type Answer = { readonly status: number; readonly body: Record<string, unknown> }

type CallOptions = {
  readonly by?: AwsAccount
  readonly signing?: Partial<Signing>
  /** Sent, and signed unless it stands in `unsigned`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly unsigned?: Readonly<Record<string, string>>
  /** Sent in place of the body that was signed. */
  readonly sent?: string
}

export const JSON_1_1 = 'application/x-amz-json-1.1'

/** A Region of AWS with two accounts, and somebody who calls it with signatures of the tests' own. */
export const startRegion = async () => {
  const simulator = await startAws({ region: REGION, accounts: [OURS, THEIRS] })
  onTestFinished(() => simulator.stop())
  const signed = (by: AwsAccount, service: string): Signing => {
    const [user] = by.users
    if (user === undefined) throw new Error('the account has no user')
    return { ...user, region: REGION, service, time: signingTime(Date.now()) }
  }
  const post = (
    type: string,
    body: string,
    {
      by = OURS,
      signing,
      headers = {},
      unsigned = {},
      sent = body,
      service,
    }: CallOptions & { service: string },
  ): Promise<Response> => {
    const all = { 'Content-Type': type, ...headers }
    const used = { ...signed(by, service), ...signing }
    const authorization = authorizationFor({ method: 'POST', url: simulator.url, headers: all, body }, used)
    const token = used.sessionToken === undefined ? {} : { 'X-Amz-Security-Token': used.sessionToken }
    return fetch(simulator.url, {
      method: 'POST',
      headers: { ...all, ...unsigned, ...token, 'X-Amz-Date': used.time, Authorization: authorization },
      body: sent,
    })
  }
  const call = async (operation: string, input: unknown, options: CallOptions = {}): Promise<Answer> => {
    const headers = { 'X-Amz-Target': `RekognitionService.${operation}`, ...options.headers }
    const response = await post(JSON_1_1, JSON.stringify(input), {
      service: 'rekognition',
      ...options,
      headers,
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const createSession = async (input: unknown = {}, options: CallOptions = {}): Promise<string> =>
    String((await call('CreateFaceLivenessSession', input, options)).body['SessionId'])
  const assumeRole = async (parameters: Readonly<Record<string, string>> = {}, options: CallOptions = {}) => {
    const form = new URLSearchParams({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: `arn:aws:iam::${(options.by ?? OURS).id}:role/${DEVICE_ROLE}`,
      RoleSessionName: 'device',
      ...parameters,
    })
    const type = 'application/x-www-form-urlencoded'
    const response = await post(type, form.toString(), { service: 'sts', ...options })
    const text = await response.text()
    const read = (name: string): string => new RegExp(`<${name}>(.*?)</${name}>`).exec(text)?.[1] ?? ''
    return {
      status: response.status,
      code: read('Code'),
      message: read('Message'),
      expiration: read('Expiration'),
      credentials: {
        accessKeyId: read('AccessKeyId'),
        secretAccessKey: read('SecretAccessKey'),
        sessionToken: read('SessionToken'),
      },
    }
  }
  return {
    url: simulator.url,
    orders: ordersAt<AwsOrders>(simulator.controlUrl),
    call,
    createSession,
    assumeRole,
  }
}
