import { captureForAws } from '../../../tools/vendors/aws/device.ts'
import { type AwsOrders, startAws } from '../../../tools/vendors/aws/start-aws.ts'
import { captureForAzure } from '../../../tools/vendors/azure/device.ts'
import { type AzureOrders, startAzure } from '../../../tools/vendors/azure/start-azure.ts'
import { ordersAt } from '../../../tools/vendors/wire/orders.ts'
import { asTheGuideSays, entered, REGION } from '../../biometric/aws/region.ts'
import { OURS } from '../../biometric/azure/resource.ts'
import type { Capture } from './checking-wallet.ts'

/** Both vendors, played; what an organisation enters of its account there, and how a phone captures. */
export const startVendors = async () => {
  const aws = await startAws({ region: REGION, accounts: [asTheGuideSays] })
  const azure = await startAzure({ resources: [OURS] })
  const captureAws: Capture = (session, scene) =>
    captureForAws({
      endpoint: aws.url,
      region: String(session['region']),
      sessionId: String(session['sessionId']),
      credentials: {
        accessKeyId: String(session['accessKeyId']),
        secretAccessKey: String(session['secretAccessKey']),
        sessionToken: String(session['sessionToken']),
      },
      ...(scene !== undefined && { scene }),
    })
  const captureAzure: Capture = (session, scene) =>
    captureForAzure({ authToken: String(session['authToken']), ...(scene !== undefined && { scene }) })
  return {
    awsUrl: aws.url,
    aws: ordersAt<AwsOrders>(aws.controlUrl),
    azure: ordersAt<AzureOrders>(azure.controlUrl),
    policies: {
      aws_rekognition: { vendor: 'aws_rekognition', ...entered },
      azure_face: {
        vendor: 'azure_face',
        settings: { endpoint: azure.url },
        credentials: { key: OURS.keys[0] },
      },
    },
    capture: ((session, scene) =>
      session['vendor'] === 'azure_face'
        ? captureAzure(session, scene)
        : captureAws(session, scene)) as Capture,
    stop: () => Promise.all([aws.stop(), azure.stop()]),
  }
}
