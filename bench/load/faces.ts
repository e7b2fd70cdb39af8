// AWS as it is played, in a process of its own, with the account of one organisation.
import { readFileSync } from 'node:fs'
import { portrait } from '../../tools/vendors/people/portrait.ts'
import { startAws } from '../../tools/vendors/aws/start-aws.ts'

const ACCOUNT = '111122223333'
const REGION = 'eu-west-1'
const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'
const secretAccessKey = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'

const policy = (name: string): object =>
  JSON.parse(readFileSync(new URL(`../../docs/biometric/${name}.json`, import.meta.url), 'utf8')) as object

/** Where it is, and what the organisation enters of its account. */
export async function start(): Promise<{ url: string; policy: Record<string, unknown> }> {
  const user = { name: 'vouchsafe', accessKeyId, secretAccessKey, policies: [policy('aws-service-user')] }
  const trust = policy('aws-device-role-trust')
  const role = { name: 'vouchsafe-device', trust, policies: [policy('aws-device-role')] }
  const { url } = await startAws({
    region: REGION,
    accounts: [{ id: ACCOUNT, users: [user], roles: [role] }] as never,
  })
  const settings = { region: REGION, deviceRoleArn: `arn:aws:iam::${ACCOUNT}:role/vouchsafe-device` }
  return {
    url,
    policy: { vendor: 'aws_rekognition', settings, credentials: { accessKeyId, secretAccessKey } },
  }
}

/** One face, of so many bytes. */
export function image(bytes: number): string {
  return portrait({ faces: [{ person: 'holder' }], bytes }).toString('base64')
}
