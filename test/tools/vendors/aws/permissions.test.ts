import { describe, expect, it } from 'vitest'
import type { AwsAccount } from '../../../../tools/vendors/aws/accounts.ts'
import { captureForAws } from '../../../../tools/vendors/aws/device.ts'
import { OURS, REGION, startRegion, statement, THEIRS } from './region.ts'

const CREATE = 'rekognition:CreateFaceLivenessSession'

const withUserPolicies = (policies: readonly unknown[]): AwsAccount => ({
  ...OURS,
  users: OURS.users.map((user) => ({ ...user, policies })),
})

const withRole = (change: Partial<AwsAccount['roles'][number]>): AwsAccount => ({
  ...OURS,
  roles: OURS.roles.map((role) => ({ ...role, ...change })),
})

const trusting = (principal: string, condition?: unknown) => ({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Principal: { AWS: principal },
      ...(condition !== undefined && { Condition: condition }),
    },
  ],
})

describe('a user of an account', () => {
  it.each([
    ['the action by name', [statement([CREATE])], true],
    ['the action in other letters', [statement(['Rekognition:createFaceLivenessSession'])], true],
    ['a pattern', [statement(['rekognition:*FaceLiveness*'])], true],
    ['everything', [statement(['*'])], true],
    ['the right region', [conditioned({ StringEquals: { 'aws:RequestedRegion': REGION } })], true],
    ['one of some regions', [conditioned({ StringLike: { 'aws:RequestedRegion': ['us-*', 'eu-*'] } })], true],
    ['nothing', [], false],
    ['another action', [statement(['rekognition:CompareFaces'])], false],
    ['a resource, which this action does not know', [statement([CREATE], 'arn:aws:rekognition:*')], false],
    ['another region', [conditioned({ StringEquals: { 'aws:RequestedRegion': 'us-east-1' } })], false],
    ['TLS, where there is none', [conditioned({ Bool: { 'aws:SecureTransport': 'true' } })], false],
    ['everything and a denial', [statement(['*']), statement([CREATE], '*', 'Deny')], false],
    ['all but this region', [conditioned({ StringNotEquals: { 'aws:RequestedRegion': REGION } })], false],
  ])('whose policies name %s', async (_, policies, isAllowed) => {
    const { call, orders } = await startRegion()
    await orders.putAccount(withUserPolicies(policies))
    const { status, body } = await call('CreateFaceLivenessSession', {})
    expect(status).toBe(isAllowed ? 200 : 400)
    expect(body['__type']).toBe(isAllowed ? undefined : 'AccessDeniedException')
  })

  it('is told whether it was forbidden or not allowed', async () => {
    const { call, orders } = await startRegion()
    const told = async (policies: readonly unknown[]) => {
      await orders.putAccount(withUserPolicies(policies))
      return (await call('CreateFaceLivenessSession', {})).body['Message']
    }
    const start = `User: arn:aws:iam::111122223333:user/vouchsafe is not authorized to perform: ${CREATE}`
    expect(await told([])).toBe(`${start} because no identity-based policy allows the ${CREATE} action`)
    expect(await told([statement(['*'], '*', 'Deny')])).toBe(
      `${start} with an explicit deny in an identity-based policy`,
    )
  })

  it.each([
    ['an unknown condition', conditioned({ IpAddress: { 'aws:SourceIp': '10.0.0.0/8' } })],
    ['an unknown key of a condition', conditioned({ StringEquals: { 'aws:PrincipalTag/team': 'ids' } })],
    ['NotAction', { Version: '2012-10-17', Statement: { Effect: 'Allow', NotAction: '*', Resource: '*' } }],
    ['an old version', { Version: '2008-10-17', Statement: { Effect: 'Allow', Action: '*', Resource: '*' } }],
    ['no resource', { Version: '2012-10-17', Statement: { Effect: 'Allow', Action: '*' } }],
    [
      'an effect in other letters',
      { Version: '2012-10-17', Statement: { Effect: 'allow', Action: '*', Resource: '*' } },
    ],
  ])('cannot have a policy with %s, which would be judged otherwise than AWS does', async (_, policy) => {
    const { orders, call } = await startRegion()
    await expect(orders.putAccount(withUserPolicies([policy]))).rejects.toThrow('a policy cannot be judged')
    expect((await call('CreateFaceLivenessSession', {})).status).toBe(200)
  })
})

function conditioned(condition: unknown) {
  const { Version, Statement } = statement([CREATE])
  return { Version, Statement: Statement.map((each) => ({ ...each, Condition: condition })) }
}

describe('a role', () => {
  const ASSUME = statement(['sts:AssumeRole'], `arn:aws:iam::${OURS.id}:role/*`)
  const user = `arn:aws:iam::${OURS.id}:user/vouchsafe`
  const withExternalId = { StringEquals: { 'sts:ExternalId': 'shared' } }

  it.each([
    ['trusts the account, whose policy allows it', trusting(OURS.id), [ASSUME], true],
    ['trusts the account, whose policy does not', trusting(OURS.id), [], false],
    ['trusts the user by name', trusting(user), [], true],
    ['trusts the user, who is denied it', trusting(user), [statement(['sts:*'], '*', 'Deny')], false],
    ['trusts another account', trusting(THEIRS.id), [ASSUME], false],
    ['wants another external id', trusting(user, withExternalId), [ASSUME], false],
  ])('that %s', async (_, trust, policies, isAllowed) => {
    const { assumeRole, orders } = await startRegion()
    await orders.putAccount({ ...withRole({ trust }), users: withUserPolicies(policies).users })
    const { status, code } = await assumeRole()
    expect({ status, code }).toEqual(
      isAllowed ? { status: 200, code: '' } : { status: 403, code: 'AccessDenied' },
    )
  })

  it('that wants an external id takes who has it', async () => {
    const { assumeRole, orders } = await startRegion()
    await orders.putAccount(withRole({ trust: trusting(user, withExternalId) }))
    expect((await assumeRole({ ExternalId: 'shared' })).status).toBe(200)
  })

  it('of another account needs its trust and a policy of the own one', async () => {
    const { assumeRole, orders } = await startRegion()
    const RoleArn = `arn:aws:iam::${OURS.id}:role/vouchsafe-device`
    const their = `arn:aws:iam::${THEIRS.id}:user/vouchsafe`
    await orders.putAccount(withRole({ trust: trusting(their) }))
    expect(await assumeRole({ RoleArn }, { by: THEIRS })).toMatchObject({
      code: 'AccessDenied',
      message: `User: ${their} is not authorized to perform: sts:AssumeRole on resource: ${RoleArn}`,
    })
    const allowed = { ...THEIRS, users: THEIRS.users.map((each) => ({ ...each, policies: [ASSUME] })) }
    await orders.putAccount(allowed)
    expect((await assumeRole({ RoleArn }, { by: THEIRS })).status).toBe(200)
  })

  it('that is not there is refused as one that does not trust', async () => {
    const { assumeRole } = await startRegion()
    expect(await assumeRole({ RoleArn: `arn:aws:iam::${OURS.id}:role/none` })).toMatchObject({
      status: 403,
      code: 'AccessDenied',
    })
  })

  it('gives no more than the policy of the session', async () => {
    const { assumeRole, createSession, orders, url } = await startRegion()
    await orders.putAccount(withRole({ policies: [statement(['*'])] }))
    const capture = async (policy: unknown) => {
      const { credentials } = await assumeRole({ Policy: JSON.stringify(policy) })
      await captureForAws({ endpoint: url, region: REGION, sessionId: await createSession(), credentials })
    }
    await capture(statement(['rekognition:StartFaceLivenessSession']))
    await expect(capture(statement(['rekognition:CompareFaces']))).rejects.toThrow('no session policy allows')
  })

  it('gives no more than its own policies', async () => {
    const { assumeRole, call } = await startRegion()
    const { credentials } = await assumeRole({ Policy: JSON.stringify(statement(['*'])) })
    expect((await call('CreateFaceLivenessSession', {}, { signing: credentials })).body).toMatchObject({
      __type: 'AccessDeniedException',
    })
  })

  it.each([
    ['less than 15 minutes', { DurationSeconds: '899' }, 'ValidationError'],
    ['more than the role allows', { DurationSeconds: '3601' }, 'ValidationError'],
    ['a name with a space', { RoleSessionName: 'my device' }, 'ValidationError'],
    ['what is no role', { RoleArn: 'vouchsafe-device' }, 'ValidationError'],
    ['a parameter that is not simulated', { TokenCode: '123456' }, 'ValidationError'],
    ['a policy that is none', { Policy: '{"Version":"2012-10-17"}' }, 'MalformedPolicyDocument'],
    ['a policy that is too long', { Policy: ' '.repeat(2_049) }, 'ValidationError'],
    ['another version', { Version: '2010-05-08' }, 'InvalidAction'],
  ])('is not given for %s', async (_, parameters, code) => {
    const { assumeRole } = await startRegion()
    expect(await assumeRole(parameters)).toMatchObject({ status: 400, code })
  })

  it.each([
    ['an unknown key', { accessKeyId: 'AKIAUNKNOWNEXAMPLE00' }, 'InvalidClientTokenId'],
    ['a wrong secret', { secretAccessKey: 'guessed' }, 'SignatureDoesNotMatch'],
    ['another service', { service: 'rekognition' }, 'SignatureDoesNotMatch'],
    ['an old time', { time: '20200101T000000Z' }, 'SignatureDoesNotMatch'],
  ])('is not given to %s', async (_, signing, code) => {
    const { assumeRole } = await startRegion()
    expect(await assumeRole({}, { signing })).toMatchObject({ status: 403, code })
  })
})
