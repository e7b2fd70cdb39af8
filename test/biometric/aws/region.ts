import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { AwsRekognition } from '../../../src/biometric/aws/aws-rekognition.ts'
import type { Begun, DeviceSession, VendorAccount } from '../../../src/ports/face-vendor.ts'
import type { AwsAccount } from '../../../tools/vendors/aws/accounts.ts'
import { captureForAws } from '../../../tools/vendors/aws/device.ts'
import { type AwsOrders, startAws } from '../../../tools/vendors/aws/start-aws.ts'
import { type Scene, scenes } from '../../../tools/vendors/people/camera.ts'
import { ordersAt } from '../../../tools/vendors/wire/orders.ts'
import { checksWith, wayOut } from '../checks.ts'

export const REGION = 'eu-west-1'

type Policy = { readonly Statement: readonly Statement[] }
export type Statement = { readonly Action: string | readonly string[] }

/** A policy as it stands in the guide. */
export const policy = (name: string): Policy =>
  JSON.parse(readFileSync(new URL(`../../../docs/biometric/${name}.json`, import.meta.url), 'utf8')) as Policy

/** An organisation that has done what the guide says, and nothing else. */
export const asTheGuideSays: AwsAccount = {
  id: '111122223333',
  users: [
    {
      name: 'vouchsafe',
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      policies: [policy('aws-service-user')],
    },
  ],
  roles: [
    {
      name: 'vouchsafe-device',
      trust: policy('aws-device-role-trust'),
      policies: [policy('aws-device-role')],
    },
  ],
}

export const entered: VendorAccount = {
  settings: { region: REGION, deviceRoleArn: 'arn:aws:iam::111122223333:role/vouchsafe-device' },
  credentials: {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  },
}

export const withEntered = (change: {
  readonly settings?: Readonly<Record<string, string>>
  readonly credentials?: Readonly<Record<string, string>>
}): VendorAccount => ({
  settings: { ...entered.settings, ...change.settings },
  credentials: { ...entered.credentials, ...change.credentials },
})

type AwsDevice = Extract<DeviceSession, { vendor: 'aws_rekognition' }>

export const deviceIn = (begun: Begun): AwsDevice => {
  if (begun.kind !== 'begun' || begun.device.vendor !== 'aws_rekognition')
    throw new Error(`no session was begun: ${JSON.stringify(begun)}`)
  return begun.device
}

/** A region of AWS with one account, and the adapter that calls it. */
export const startRegion = async (account: AwsAccount = asTheGuideSays) => {
  const simulator = await startAws({ region: REGION, accounts: [account] })
  onTestFinished(() => simulator.stop())
  const vendor = new AwsRekognition({
    outbound: wayOut(),
    now: Date.now,
    endpoints: () => ({ rekognition: simulator.url, sts: simulator.url }),
  })
  const capture = ({ sessionId, region, ...credentials }: AwsDevice, scene: Scene = scenes.holder) =>
    captureForAws({ endpoint: simulator.url, region, sessionId, credentials, scene })
  const checks = checksWith(vendor, entered)
  return {
    ...checks,
    vendor,
    url: simulator.url,
    orders: ordersAt<AwsOrders>(simulator.controlUrl),
    capture,
    /** A session in front of which somebody has stood. */
    captured: async (scene: Scene = scenes.holder): Promise<string> => {
      const device = deviceIn(await checks.begin())
      await capture(device, scene)
      return device.sessionId
    },
  }
}
