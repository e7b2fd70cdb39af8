import type { VendorAccount, VendorRefused } from '../../ports/face-vendor.ts'
import { refused } from '../outcomes.ts'

export type AwsAccount = {
  readonly region: string
  /** The role of which devices get what they need for a session. */
  readonly deviceRoleArn: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The region becomes a part of a host name, so nothing else may be in it. */
const REGION = /^[a-z]{2}(-[a-z]{2,12}){1,3}-\d{1,2}$/
const ROLE_ARN = /^arn:aws(-[a-z]{1,8}){0,3}:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/
const ACCESS_KEY_ID = /^[A-Z0-9]{16,128}$/
const SECRET = /^[\x20-\x7e]{1,256}$/

export const awsAccountOf = ({ settings, credentials }: VendorAccount): AwsAccount | VendorRefused => {
  const { region = '', deviceRoleArn = '' } = settings
  const { accessKeyId = '', secretAccessKey = '' } = credentials
  const wrong = (field: string, what: string): VendorRefused =>
    refused('settings', `${field} must be ${what}.`)
  if (!REGION.test(region)) return wrong('settings.region', 'the name of a region, such as eu-west-1')
  if (!ROLE_ARN.test(deviceRoleArn))
    return wrong('settings.deviceRoleArn', 'the ARN of a role, such as arn:aws:iam::111122223333:role/NAME')
  if (!ACCESS_KEY_ID.test(accessKeyId)) return wrong('credentials.accessKeyId', 'the id of an access key')
  if (!SECRET.test(secretAccessKey))
    return wrong('credentials.secretAccessKey', 'the secret of that access key')
  return { region, deviceRoleArn, accessKeyId, secretAccessKey }
}
