import { onTestFinished } from 'vitest'
import type { AzureResource } from '../../../../tools/vendors/azure/resources.ts'
import { type AzureOrders, startAzure } from '../../../../tools/vendors/azure/start-azure.ts'
import { type Portrait, portrait } from '../../../../tools/vendors/people/portrait.ts'
import { ordersAt } from '../../../../tools/vendors/wire/orders.ts'

export const OURS: AzureResource = {
  name: 'contoso',
  keys: ['first-of-ours', 'second-of-ours'],
  isApproved: true,
}
export const THEIRS: AzureResource = { name: 'fabrikam', keys: ['first-of-theirs'], isApproved: true }

export const SESSIONS = '/face/v1.2/detectLivenessWithVerify-sessions'

export type Attempt = {
  readonly attemptId: number
  readonly attemptStatus: string
  readonly result?: {
    readonly livenessDecision: string
    readonly digest: string
    readonly sessionImageId?: string
    readonly verifyImageHash?: string
    readonly verifyResult?: { readonly matchConfidence: number; readonly isIdentical: boolean }
  }
  readonly error?: { readonly code: string }
}

export type Body = {
  readonly sessionId: string
  readonly authToken: string
  readonly status: string
  readonly modelVersion: string
  readonly results: { readonly attempts: readonly Attempt[]; readonly verifyReferences: readonly unknown[] }
  readonly error?: { readonly code: string; readonly message: string }
}

type Wanted = {
  readonly key?: string
  readonly image?: Portrait | Buffer
  /** Instead of the usual ones; null leaves one out. */
  readonly parts?: Readonly<Record<string, string | null>>
}

export const HOLDER: Portrait = { faces: [{ person: 'holder' }] }

const USUAL = {
  livenessOperationMode: 'Passive',
  deviceCorrelationId: '723d6d03-ef33-40a8-9682-23a1feb7bccd',
  enableSessionImage: 'false',
}

export const formOf = ({ image = HOLDER, parts = {} }: Wanted): FormData => {
  const form = new FormData()
  for (const [name, text] of Object.entries({ ...USUAL, ...parts }))
    if (text !== null) form.append(name, text)
  const bytes = Buffer.isBuffer(image) ? image : portrait(image)
  form.append('verifyImage', new Blob([new Uint8Array(bytes)]), 'reference.jpg')
  return form
}

type Sent = {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData
}

/** The Face API with two resources, and somebody who calls it with plain fetch. */
export const startFaceApi = async () => {
  const simulator = await startAzure({ resources: [OURS, THEIRS] })
  onTestFinished(() => simulator.stop())
  const call = async (method: string, path: string, { key = 'first-of-ours', headers, body }: Sent) => {
    const response = await fetch(`${simulator.url}${path}`, {
      method,
      headers: { ...headers, 'Ocp-Apim-Subscription-Key': key },
      ...(body !== undefined && { body }),
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? {} : JSON.parse(text)) as Body,
    }
  }
  return {
    url: simulator.url,
    orders: ordersAt<AzureOrders>(simulator.controlUrl),
    call,
    create: ({ key, ...wanted }: Wanted = {}) =>
      call('POST', SESSIONS, { body: formOf(wanted), ...(key !== undefined && { key }) }),
    read: (sessionId: string, key?: string) =>
      call('GET', `${SESSIONS}/${sessionId}`, key === undefined ? {} : { key }),
    remove: (sessionId: string, key?: string) =>
      call('DELETE', `${SESSIONS}/${sessionId}`, key === undefined ? {} : { key }),
  }
}
