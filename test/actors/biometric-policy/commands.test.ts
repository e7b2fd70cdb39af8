import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPolicy } from '../../../src/actors/biometric-policy/account.ts'
import { setPolicy, type SentPolicy } from '../../../src/actors/biometric-policy/commands.ts'
import { biometricPolicyKind } from '../../../src/actors/biometric-policy/index.ts'
import { AzureFace } from '../../../src/biometric/azure/azure-face.ts'
import { EgressFailed } from '../../../src/egress/failures.ts'
import { tenant } from '../exchange-world.ts'
import { givenPorts } from '../given-ports.ts'
import { kindsOnHost } from '../kinds-on-host.ts'

const OWN = 'https://own.cognitiveservices.azure.com'
const KEY = 'a-key-of-the-resource'

/** Azure as far as a trial gets: it finds no face in the picture. */
const azureWorld = async () => {
  const host = await kindsOnHost(() => [biometricPolicyKind.definition(givenPorts({}))])
  const called: { readonly url: string; readonly key: string | undefined }[] = []
  const outbound = {
    call: ({
      url,
      headers,
    }: {
      readonly url: string
      readonly headers?: Readonly<Record<string, string>>
    }) => {
      called.push({ url, key: headers?.['Ocp-Apim-Subscription-Key'] })
      if (!url.startsWith(OWN)) return Promise.reject(new EgressFailed('nobody answers'))
      const error = { code: 'InvalidImage', message: 'There is no face in the image.' }
      return Promise.resolve({ status: 400, headers: {}, body: Buffer.from(JSON.stringify({ error })) })
    },
  }
  const ports = givenPorts({
    ...host,
    faceVendors: { azure_face: new AzureFace({ outbound, now: () => host.runtime.now() }) },
  })
  const directory = { list: () => Promise.resolve({ rows: [], total: 0 }) }
  const set = (sent: SentPolicy) => setPolicy({ ...ports, directory }, tenant, sent)
  return { ...host, called, set, policy: () => readPolicy(host, tenant) }
}

let at: Awaited<ReturnType<typeof azureWorld>>
beforeEach(async () => {
  at = await azureWorld()
})
afterEach(() => at.close())

describe('setting a biometric policy', () => {
  it('keeps the key that was entered before, and sends it to no other endpoint than that it was entered for', async () => {
    const settings = { endpoint: OWN }
    expect(await at.set({ vendor: 'azure_face', settings, credentials: { key: KEY } })).toMatchObject({
      status: 'set',
    })
    expect(await at.set({ vendor: 'azure_face', settings, matchMin: 80 })).toMatchObject({ matchMin: 80 })
    expect(at.called.map(({ key }) => key)).toEqual([KEY, KEY])
    const elsewhere = { endpoint: 'https://elsewhere.example' }
    expect(await at.set({ vendor: 'azure_face', settings: elsewhere })).toMatchObject({
      refused: 'biometric_setup_invalid',
      reason: expect.stringContaining('credentials.key') as string,
    })
    expect(at.called.every(({ url }) => url.startsWith(OWN))).toBe(true)
    expect(await at.policy()).toMatchObject({ settings, matchMin: 80 })
  })
})
