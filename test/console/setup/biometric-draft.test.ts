import { describe, expect, it } from 'vitest'
import { draftOfPolicy, policyBody } from '../../../console/src/setup/biometric-draft.ts'

const policy = {
  vendor: 'azure_face',
  settings: { endpoint: 'https://faces.example' },
  hasCredentials: true,
  livenessMin: null,
  matchMin: 70,
  attemptsMax: 3,
  windowMinutes: 30,
  credentialDefinitionIds: ['def_1'],
  createdAt: null,
  updatedAt: null,
} as const

describe('the policy of face checks', () => {
  it('keeps the secrets that are not typed again, and sends no score that the vendor does not have', () => {
    expect(policyBody(draftOfPolicy(policy), {})).toEqual({
      vendor: 'azure_face',
      settings: { endpoint: 'https://faces.example' },
      matchMin: 70,
      attemptsMax: 3,
      windowMinutes: 30,
      credentialDefinitionIds: ['def_1'],
    })
  })

  it('sends nothing of one vendor to another', () => {
    const draft = { ...draftOfPolicy(policy), vendor: 'aws_rekognition' } as const
    const body = policyBody(draft, { key: 'of Azure', accessKeyId: 'AKIA', secretAccessKey: 's' })
    expect(body.settings).toEqual({ region: '', deviceRoleArn: '' })
    expect(body.credentials).toEqual({ accessKeyId: 'AKIA', secretAccessKey: 's' })
  })
})
