import { ImageRoom } from '../../src/actors/face-check/image-room.ts'
import { AwsRekognition } from '../../src/biometric/aws/aws-rekognition.ts'
import { AzureFace } from '../../src/biometric/azure/azure-face.ts'
import { SandboxFaces } from '../../src/biometric/sandbox-faces.ts'
import { EgressFailed } from '../../src/egress/failures.ts'
import type { Runtime } from '../../src/ports/runtime.ts'

const nowhere = { call: () => Promise.reject(new EgressFailed('there is no way out of a test')) }

/** The vendors of face checks where nothing leaves the process: the sandbox, and the others without a network. */
export const playedFaces = (runtime: Pick<Runtime, 'now' | 'newId'>) => {
  const now = (): number => runtime.now()
  const sandbox = new SandboxFaces(now, () => runtime.newId())
  return {
    sandboxFaces: sandbox,
    imageRoom: new ImageRoom(100_000_000, now),
    faceVendors: {
      sandbox,
      aws_rekognition: new AwsRekognition({ outbound: nowhere, now }),
      azure_face: new AzureFace({ outbound: nowhere, now }),
    },
  }
}
