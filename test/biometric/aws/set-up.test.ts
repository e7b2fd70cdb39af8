import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CreateFaceLivenessSessionCommand, RekognitionClient } from '@aws-sdk/client-rekognition'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { AwsRekognition } from '../../../src/biometric/aws/aws-rekognition.ts'
import { devicePolicy } from '../../../src/biometric/aws/device-policy.ts'
import { EgressFailed } from '../../../src/egress/failures.ts'
import { Outbound } from '../../../src/egress/outbound.ts'
import type { VendorAccount } from '../../../src/ports/face-vendor.ts'
import type { AwsAccount } from '../../../tools/vendors/aws/accounts.ts'
import { temporaryFolder } from '../../temporary-folder.ts'
import { signal } from '../checks.ts'
import { asTheGuideSays, deviceIn, entered, policy, REGION, startRegion, withEntered } from './region.ts'

const SERVICE_ACTIONS = [
  'rekognition:CreateFaceLivenessSession',
  'rekognition:GetFaceLivenessSessionResults',
  'rekognition:CompareFaces',
  'sts:AssumeRole',
]

const ROLE = 'arn:aws:iam::111122223333:role/vouchsafe-device'
const NO_ROLE = `The access key may not do sts:AssumeRole on ${ROLE}, the role does not trust it, or there is no such role.`

/** The organisation's account with other policies for the user of the service. */
const withUserPolicies = (...policies: readonly unknown[]): AwsAccount => ({
  ...asTheGuideSays,
  users: asTheGuideSays.users.map((user) => ({ ...user, policies })),
})

const allowing = (actions: readonly string[], more: object = {}) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: actions, Resource: '*', ...more }],
})

describe('the policy of the guide', () => {
  it('allows everything that a check needs', async () => {
    const { tryAccount, captured, read } = await startRegion()
    expect(await tryAccount()).toEqual({ obstacles: [] })
    expect(await read(await captured())).toMatchObject({ kind: 'results', attempts: [{ verdict: 'passed' }] })
  })

  it('names exactly the actions that are called', () => {
    const named = policy('aws-service-user').Statement.flatMap(({ Action }) => Action)
    expect(named).toEqual(SERVICE_ACTIONS)
    expect(policy('aws-device-role').Statement.map(({ Action }) => Action)).toEqual(
      devicePolicy.Statement.map(({ Action }) => Action),
    )
  })

  it.each(SERVICE_ACTIONS)('has nothing to spare: without %s the trial says so', async (missing) => {
    const others = allowing(SERVICE_ACTIONS.filter((action) => action !== missing))
    // A role that trusts a user by name is the user's own within an account, unless the user is forbidden to take it.
    const denied = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Deny', Action: missing, Resource: '*' }],
    }
    const isRole = missing === 'sts:AssumeRole'
    const { tryAccount } = await startRegion(withUserPolicies(others, ...(isRole ? [denied] : [])))
    const sentence = isRole ? NO_ROLE : `The access key may not do ${missing}.`
    expect(await tryAccount()).toEqual({ obstacles: [{ kind: 'refused', what: 'permission', sentence }] })
  })

  it('gives no rights in another region', async () => {
    const elsewhere = { Condition: { StringEquals: { 'aws:RequestedRegion': 'eu-central-1' } } }
    const { tryAccount } = await startRegion(withUserPolicies(allowing(SERVICE_ACTIONS, elsewhere)))
    const { obstacles } = await tryAccount()
    expect(obstacles.map((each) => each.kind === 'refused' && each.what)).toEqual(Array(3).fill('permission'))
  })

  it('lets a device run a session, and nothing else', async () => {
    const { begin, capture, vendor, orders } = await startRegion()
    const device = deviceIn(await begin())
    const account: VendorAccount = withEntered({
      credentials: { accessKeyId: device.accessKeyId, secretAccessKey: device.secretAccessKey },
    })
    // Without its token the key is none, and with it the session policy allows one action.
    expect(await vendor.tryAccount(account, signal)).toMatchObject({ obstacles: [{ what: 'key' }] })
    await capture(device)
    expect((await orders.heard()).at(-1)).toMatchObject({
      operation: 'StartFaceLivenessSession',
      status: 200,
    })
  })

  it('lets a device do no more where its role could do everything', async () => {
    const generous = {
      ...asTheGuideSays,
      roles: asTheGuideSays.roles.map((role) => ({ ...role, policies: [allowing(['*'])] })),
    }
    const { begin, url } = await startRegion(generous)
    const { accessKeyId, secretAccessKey, sessionToken } = deviceIn(await begin())
    const client = new RekognitionClient({
      region: REGION,
      endpoint: url,
      credentials: { accessKeyId, secretAccessKey, sessionToken },
    })
    onTestFinished(() => client.destroy())
    await expect(client.send(new CreateFaceLivenessSessionCommand())).rejects.toThrow(
      'because no session policy allows the rekognition:CreateFaceLivenessSession action',
    )
  })
})

describe('a set-up of AWS that is wrong', () => {
  it.each([
    ['all rights', ['s3:GetObject'], SERVICE_ACTIONS.slice(0, 3)],
    ['two rights', SERVICE_ACTIONS.slice(2), SERVICE_ACTIONS.slice(0, 2)],
  ])('is told in full: without %s each is named', async (_, allowed, missing) => {
    const { tryAccount } = await startRegion(withUserPolicies(allowing(allowed)))
    const { obstacles } = await tryAccount()
    expect(obstacles).toEqual(
      missing.map((action) => ({
        kind: 'refused',
        what: 'permission',
        sentence: `The access key may not do ${action}.`,
      })),
    )
  })

  it.each([
    [
      'an unknown key',
      withEntered({ credentials: { accessKeyId: 'AKIAUNKNOWNUNKNOWN00' } }),
      'key',
      'AWS does not know the access key, or does not know it in this region.',
    ],
    [
      'the secret of another key',
      withEntered({ credentials: { secretAccessKey: 'another' } }),
      'key',
      'The secret does not belong to the access key.',
    ],
    [
      'another region',
      withEntered({ settings: { region: 'us-east-1' } }),
      'region',
      'What answers under this endpoint is another region than us-east-1.',
    ],
    [
      'a role that there is not',
      withEntered({ settings: { deviceRoleArn: 'arn:aws:iam::111122223333:role/none' } }),
      'permission',
      NO_ROLE.replace('vouchsafe-device', 'none'),
    ],
    [
      'a region that is none',
      withEntered({ settings: { region: 'eu-west-1.example.com/' } }),
      'settings',
      'settings.region must be the name of a region, such as eu-west-1.',
    ],
    [
      'no role',
      withEntered({ settings: { deviceRoleArn: '' } }),
      'settings',
      'settings.deviceRoleArn must be the ARN of a role, such as arn:aws:iam::111122223333:role/NAME.',
    ],
    [
      'no key',
      { ...entered, credentials: {} },
      'settings',
      'credentials.accessKeyId must be the id of an access key.',
    ],
    [
      'a secret with a line break',
      withEntered({ credentials: { secretAccessKey: 'two\nlines' } }),
      'settings',
      'credentials.secretAccessKey must be the secret of that access key.',
    ],
  ])('is told once, in words: %s', async (_, account, what, sentence) => {
    const { tryAccount, begin, read } = await startRegion()
    const refused = { kind: 'refused', what, sentence }
    expect(await tryAccount(account)).toEqual({ obstacles: [refused] })
    expect(await begin({ account })).toEqual(refused)
    if (what !== 'permission') expect(await read('a-session', { account })).toEqual(refused)
  })

  it('is told where a role does not trust the key', async () => {
    const { tryAccount } = await startRegion({
      ...asTheGuideSays,
      roles: asTheGuideSays.roles.map((role) => ({
        ...role,
        trust: {
          Version: '2012-10-17',
          Statement: [
            {
              Effect: 'Allow',
              Action: 'sts:AssumeRole',
              Principal: { AWS: 'arn:aws:iam::111122223333:user/another' },
            },
          ],
        },
      })),
    })
    expect(await tryAccount()).toEqual({
      obstacles: [{ kind: 'refused', what: 'permission', sentence: NO_ROLE }],
    })
  })

  it('is told where there is no host of that region, and where it is not a public one', async () => {
    const strict = new Outbound({ allowPrivateTargets: false, socketsPerHostMax: 2 })
    onTestFinished(() => strict[Symbol.dispose]())
    const at = (address: string) =>
      new AwsRekognition({
        outbound: strict,
        now: Date.now,
        endpoints: () => ({ rekognition: address, sts: address }),
      }).tryAccount(entered, signal)
    expect(await at('https://127.0.0.1:9')).toEqual({
      obstacles: [
        {
          kind: 'refused',
          what: 'endpoint',
          sentence: 'The endpoint is not called: the address is not a public one.',
        },
      ],
    })
    const calls: string[] = []
    const nowhere = new AwsRekognition({
      outbound: {
        call: async ({ url }) => {
          calls.push(url)
          throw new EgressFailed('gone', { cause: Object.assign(new Error('none'), { code: 'ENOTFOUND' }) })
        },
      },
      now: Date.now,
    })
    expect(await nowhere.tryAccount(entered, signal)).toEqual({
      obstacles: [
        {
          kind: 'refused',
          what: 'region',
          sentence: 'There is no such region of AWS, or not this service in it: eu-west-1.',
        },
      ],
    })
    expect(calls).toEqual(['https://sts.eu-west-1.amazonaws.com/'])
  })
})

describe('a trial of AWS', () => {
  const lent = (['AccessKeyId', 'SecretAccessKey', 'SessionToken'] as const).map(
    (name) => `<${name}>x</${name}>`,
  )
  const assumed =
    '<AssumeRoleResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><AssumeRoleResult><Credentials>' +
    `${lent.join('')}<Expiration>2026-01-01T00:00:00Z</Expiration>` +
    '</Credentials></AssumeRoleResult></AssumeRoleResponse>'
  const trial = (answers: Readonly<Record<string, readonly [number, object]>>) =>
    new AwsRekognition({
      now: Date.now,
      outbound: {
        call: async ({ headers }) => {
          const [, operation] = headers['x-amz-target']?.split('.') ?? []
          const [status, body] = answers[operation ?? ''] ?? [200, {}]
          return {
            status,
            headers: {},
            body: Buffer.from(operation === undefined ? assumed : JSON.stringify(body)),
          }
        },
      },
    }).tryAccount(entered, signal)
  const refusing = (type: string) => [400, { __type: type }] as const

  it('is content that AWS sees no face in a picture of nothing', async () => {
    const answers = {
      CreateFaceLivenessSession: [200, { SessionId: 'a-session' }],
      CompareFaces: refusing('InvalidParameterException'),
    } as const
    expect(await trial(answers)).toEqual({ obstacles: [] })
  })

  it('tells of what AWS refuses for another reason', async () => {
    const answers = {
      CreateFaceLivenessSession: refusing('InvalidParameterException'),
      GetFaceLivenessSessionResults: refusing('SessionNotFoundException'),
      CompareFaces: refusing('ResourceNotFoundException'),
    }
    expect(await trial(answers)).toEqual({
      obstacles: [
        {
          kind: 'refused',
          what: 'other',
          sentence: 'AWS refused rekognition:CreateFaceLivenessSession: InvalidParameterException.',
        },
        {
          kind: 'refused',
          what: 'other',
          sentence: 'AWS refused rekognition:CompareFaces: ResourceNotFoundException.',
        },
      ],
    })
  })
})

describe('what is set up for AWS on the machine of the service', () => {
  it('decides nothing', async () => {
    const folder = temporaryFolder('aws-files')
    const lines = [
      'region = us-east-1',
      'endpoint_url = http://127.0.0.1:9',
      'max_attempts = 7',
      'sts_regional_endpoints = legacy',
    ]
    writeFileSync(join(folder, 'config'), ['[default]', ...lines, ''].join('\n'))
    writeFileSync(
      join(folder, 'credentials'),
      '[default]\naws_access_key_id = AKIAX\naws_secret_access_key = y\n',
    )
    for (const [name, value] of Object.entries({
      AWS_CONFIG_FILE: join(folder, 'config'),
      AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
      AWS_ENDPOINT_URL: 'http://127.0.0.1:9',
      AWS_ACCESS_KEY_ID: 'AKIAX',
      AWS_SECRET_ACCESS_KEY: 'y',
      AWS_SESSION_TOKEN: 'z',
      AWS_REGION: 'us-east-1',
      AWS_USE_FIPS_ENDPOINT: 'true',
      AWS_USE_DUALSTACK_ENDPOINT: 'true',
      AWS_MAX_ATTEMPTS: '7',
    }))
      vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { tryAccount, captured, read } = await startRegion()
    expect(await tryAccount()).toEqual({ obstacles: [] })
    expect(await read(await captured())).toMatchObject({ kind: 'results' })
  })
})
