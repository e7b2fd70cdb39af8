import { describe, expect, it } from 'vitest'
import {
  mayKeepSecrets,
  policyDecider,
  policyOf,
  type PolicyCommand,
  type PolicyTypes,
} from '../../../src/actors/biometric-policy/rules.ts'
import { isRefused } from '../../../src/domain/decider.ts'

const set = (more: Partial<PolicyCommand> = {}): PolicyCommand => ({
  type: 'SetBiometricPolicy',
  atMs: 1_000,
  tenant: 'ten_07aaaaaaaa',
  vendor: 'aws_rekognition',
  settings: { region: 'eu-west-1' },
  livenessMin: 80,
  matchMin: 90,
  attemptsMax: 3,
  windowMinutes: 30,
  credentialDefinitionIds: ['def_00aaaaaaaa'],
  sealedCredentials: 'sealed',
  ...more,
})

const after = (...commands: readonly PolicyCommand[]): PolicyTypes['state'] =>
  commands.reduce<PolicyTypes['state']>((state, command) => {
    const decided = policyDecider.decide(state, command)
    return isRefused(decided) ? state : decided.reduce(policyDecider.evolve, state)
  }, policyDecider.initialState)

describe('a biometric policy', () => {
  it('lives where its organisation lives', () => {
    expect(policyOf('ten_07aaaaaaaa')).toBe('bio_07aaaaaaaa')
  })

  it('keeps the secrets that were entered for the same vendor, and those of no other', () => {
    const changed = after(set(), set({ sealedCredentials: null, atMs: 2_000, matchMin: 95 }))
    expect(changed).toMatchObject({
      sealedCredentials: 'sealed',
      matchMin: 95,
      createdAtMs: 1_000,
      updatedAtMs: 2_000,
    })
    const other = policyDecider.decide(after(set()), set({ vendor: 'azure_face', sealedCredentials: null }))
    expect(other).toMatchObject({
      refused: 'invalid_request',
      reason: expect.stringContaining('credentials') as string,
    })
    expect(policyDecider.decide({ status: 'none' }, set({ sealedCredentials: null }))).toMatchObject({
      refused: 'invalid_request',
    })
  })

  it('keeps the secrets for the endpoint alone that they were entered for', () => {
    const at = (endpoint: string, sealedCredentials: string | null) =>
      set({ vendor: 'azure_face', settings: { endpoint }, sealedCredentials })
    const own = after(at('https://own.cognitiveservices.azure.com', 'sealed'))
    const elsewhere = at('https://elsewhere.example', null)
    expect(policyDecider.decide(own, elsewhere)).toMatchObject({
      refused: 'invalid_request',
      reason: expect.stringContaining('credentials') as string,
    })
    const before = own.status === 'set' ? own : null
    expect(mayKeepSecrets(before, elsewhere)).toBe(false)
    expect(mayKeepSecrets(before, at('https://own.cognitiveservices.azure.com', null))).toBe(true)
    expect(policyDecider.decide(own, at('https://elsewhere.example', 'another'))).toMatchObject([
      { type: 'BiometricPolicyChanged', sealedCredentials: 'another' },
    ])
  })

  it('drops the secrets with the vendor', () => {
    const none = set({ vendor: 'none', credentialDefinitionIds: [] })
    expect(after(set(), none)).toMatchObject({ vendor: 'none', sealedCredentials: null })
    expect(after(set(), set({ vendor: 'sandbox' }))).toMatchObject({ sealedCredentials: null })
  })

  it('leaves no definition behind a check that nobody does', () => {
    expect(policyDecider.decide(after(set()), set({ vendor: 'none' }))).toMatchObject({
      refused: 'invalid_request',
      reason: expect.stringContaining('def_00aaaaaaaa') as string,
    })
  })
})
