import { readFileSync } from 'node:fs'
import type { Json } from '../../flows/tenant.ts'
import { type AwsOrders, startAws } from '../../vendors/aws/start-aws.ts'
import { type AzureOrders, startAzure } from '../../vendors/azure/start-azure.ts'
import { ordersAt } from '../../vendors/wire/orders.ts'
import type { Vendor } from './plan.ts'

const ACCOUNT = '111122223333'
const REGION = 'eu-west-1'
const KEY = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
}
const AZURE_KEY = 'a-key-of-ours'

const document = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../docs/biometric/${name}.json`, import.meta.url), 'utf8'))

/** Both vendors as they are played, with the account of one organisation at each: they outlive the service. */
export const startVendors = async () => {
  const user = { name: 'vouchsafe', ...KEY, policies: [document('aws-service-user')] }
  const role = {
    name: 'vouchsafe-device',
    trust: document('aws-device-role-trust'),
    policies: [document('aws-device-role')],
  }
  const aws = await startAws({ region: REGION, accounts: [{ id: ACCOUNT, users: [user], roles: [role] }] })
  const azure = await startAzure({ resources: [{ name: 'contoso', keys: [AZURE_KEY], isApproved: true }] })
  const deviceRoleArn = `arn:aws:iam::${ACCOUNT}:role/vouchsafe-device`
  const policies: Readonly<Record<Vendor, Json>> = {
    aws_rekognition: {
      vendor: 'aws_rekognition',
      settings: { region: REGION, deviceRoleArn },
      credentials: KEY,
    },
    azure_face: {
      vendor: 'azure_face',
      settings: { endpoint: azure.url },
      credentials: { key: AZURE_KEY },
    },
  }
  return {
    awsUrl: aws.url,
    policies,
    aws: ordersAt<AwsOrders>(aws.controlUrl),
    azure: ordersAt<AzureOrders>(azure.controlUrl),
    stop: () => Promise.all([aws.stop(), azure.stop()]),
  }
}

export type Vendors = Awaited<ReturnType<typeof startVendors>>
