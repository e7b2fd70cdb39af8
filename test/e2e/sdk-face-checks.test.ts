import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  playedAwsCapture,
  playedAzureCapture,
  sandboxCapture,
  type Stage,
} from '../../tools/face-add-ons/played-captures.ts'
import { type Scene, scenes } from '../../tools/vendors/people/camera.ts'
import { portrait } from '../../tools/vendors/people/portrait.ts'
import { startVendors } from './face-checks/vendors.ts'
import { type Json, publishPerson, untilState } from './running-service.ts'
import { sdkPhone, synced } from './sdk-phone.ts'
import { embeddedService, type ServiceUnderTest } from './service-under-test.ts'

const image = portrait({ faces: [{ person: 'holder' }], bytes: 20_000 }).toString('base64')

describe('an app with the SDK and an add-on for checks of the face', () => {
  let vendors: Awaited<ReturnType<typeof startVendors>>
  let service: ServiceUnderTest
  let person: Awaited<ReturnType<typeof publishPerson>>

  const policyOf = (vendor: string): Json => {
    if (vendor === 'aws_rekognition') return vendors.policies.aws_rekognition
    return vendor === 'azure_face' ? vendors.policies.azure_face : { vendor }
  }
  const setPolicy = (vendor: string) =>
    service.order('biometric set', {
      tenant: service.tenant,
      ...policyOf(vendor),
      credentialDefinitionIds: [person.definitionId],
    })

  beforeAll(async () => {
    vendors = await startVendors()
    service = await embeddedService(async () => ({
      VOUCHSAFE_AWS_URL: vendors.awsUrl,
      VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
    }))
    person = await publishPerson(service)
  }, 240_000)
  afterAll(async () => {
    await service?.close()
    await vendors?.stop()
  })

  /** A phone whose holder has accepted an offer that is behind a check. */
  const checkedPhone = async () => {
    const { sdk, connect } = await sdkPhone(service)
    const connectionId = await connect()
    const body = {
      connectionId,
      credentialDefinitionId: person.definitionId,
      attributes: { name: 'Ada', age: '36', expiresAt: String(Math.floor(Date.now() / 1_000) + 3_600) },
      biometric: { referenceImage: image },
    }
    const { json } = await service.send('POST', '/v1/credentials/offer', body)
    await sdk.offers.accept((await synced(sdk, sdk.offers.list)).id)
    return { sdk, offerId: String(json['id']), check: await synced(sdk, sdk.faceChecks.list) }
  }

  it.each(['sandbox', 'aws_rekognition', 'azure_face'])(
    'gets its credential when the holder has passed at %s, at the second attempt',
    async (vendor) => {
      await setPolicy(vendor)
      const stages: Scene[] = [scenes.stranger, scenes.holder]
      const stage: Stage = () => stages.shift() ?? null
      const { sdk, offerId, check } = await checkedPhone()
      expect(check).toMatchObject({ vendor, state: 'required', exchangeId: expect.any(String) as string })
      await expect(sdk.faceChecks.run(check.id)).rejects.toMatchObject({ kind: 'BiometricRequired' })
      sdk.registerBiometricCapture(playedAwsCapture(vendors.awsUrl, stage))
      sdk.registerBiometricCapture(playedAzureCapture(stage))
      sdk.registerBiometricCapture(sandboxCapture(service.url(), stage))
      await expect(sdk.faceChecks.run(check.id)).rejects.toMatchObject({
        kind: 'BiometricFailed',
        code: 'biometric_again',
      })
      await sdk.faceChecks.run(check.id)
      const credential = await synced(sdk, sdk.credentials.list)
      expect(credential.attributes).toMatchObject({ name: 'Ada' })
      const done = await untilState(service, `/v1/credentials/${offerId}`, 'done')
      expect(done['biometric']).toMatchObject({ status: 'passed', attempts: 2 })
      expect(await sdk.faceChecks.list()).toEqual([])
    },
    240_000,
  )

  it('hears that the holder went back, which costs no attempt', async () => {
    await setPolicy('sandbox')
    const { sdk, offerId, check } = await checkedPhone()
    sdk.registerBiometricCapture(sandboxCapture(service.url(), () => null))
    await expect(sdk.faceChecks.run(check.id)).rejects.toMatchObject({ kind: 'BiometricCancelled' })
    const { json } = await service.send('GET', `/v1/credentials/${offerId}`)
    expect(json).toMatchObject({ state: 'request-received', biometric: { status: 'pending', attempts: 0 } })
    sdk.registerBiometricCapture(sandboxCapture(service.url()))
    await sdk.faceChecks.run(check.id)
    await untilState(service, `/v1/credentials/${offerId}`, 'done')
  })
})
