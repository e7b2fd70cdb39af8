import { ImageRoom } from '../actors/face-check/image-room.ts'
import { AwsRekognition } from '../biometric/aws/aws-rekognition.ts'
import { AzureFace } from '../biometric/azure/azure-face.ts'
import { SandboxFaces } from '../biometric/sandbox-faces.ts'
import type { Config } from '../config/config.ts'
import { Outbound } from '../egress/outbound.ts'
import type { FaceVendors } from '../ports/face-vendor.ts'
import type { Runtime } from '../ports/runtime.ts'
import type { ServiceContext } from './service-context.ts'

/** Of all organisations that have the same vendor; each has 16 calls at once. */
const SOCKETS_PER_HOST_MAX = 256

/** The vendors of face checks, over sockets of their own. On a ledger that others can read there is no sandbox. */
export const openFaceVendors = (
  { egress: { allowPrivateTargets, awsUrl }, ledger }: Pick<Config, 'egress' | 'ledger'>,
  runtime: Pick<Runtime, 'now' | 'newId'>,
): { readonly faceVendors: FaceVendors; readonly sandboxFaces: SandboxFaces | null } & Disposable => {
  const outbound = new Outbound({ allowPrivateTargets, socketsPerHostMax: SOCKETS_PER_HOST_MAX })
  const now = (): number => runtime.now()
  const played = { endpoints: () => ({ rekognition: awsUrl, sts: awsUrl }) }
  const isSandbox = ledger.engine === 'sandbox'
  const sandboxFaces = isSandbox ? new SandboxFaces(now, () => runtime.newId()) : null
  return {
    sandboxFaces,
    faceVendors: {
      aws_rekognition: new AwsRekognition({ outbound, now, ...(awsUrl !== '' && played) }),
      azure_face: new AzureFace({ outbound, now }),
      ...(sandboxFaces && { sandbox: sandboxFaces }),
    },
    [Symbol.dispose]: () => outbound[Symbol.dispose](),
  }
}

/** An image has left when no body of its check is there any more. */
export const roomForImages = (
  { config, runtime }: Pick<ServiceContext, 'config' | 'runtime'>,
  bodies: { readonly whenEmptied: (emptied: (record: string) => void) => void },
): ImageRoom => {
  const bytesMax = config.policy.referenceImagesMegabytesMax * 1_048_576
  const room = new ImageRoom(bytesMax, () => runtime.now())
  bodies.whenEmptied((record) => room.left(record))
  return room
}
