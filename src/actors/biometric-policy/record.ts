import { type Static, Type } from 'typebox'
import { limits } from '../../domain/limits.ts'
import { choice, momentOrNull, isoTime, recordOf, sentText, exact } from '../../http/route/fields.ts'
import type { BiometricPolicy } from './rules.ts'

const vendors = ['none', 'aws_rekognition', 'azure_face', 'sandbox'] as const

/** What may be entered of an account has few and short fields; what has to stand in them is the vendor's to say. */
const entered = (description: string, example: Readonly<Record<string, string>>) =>
  Type.Record(Type.String({ maxLength: 50 }), Type.String({ maxLength: 1_000 }), {
    maxProperties: 10,
    description,
    examples: [example],
  })
const percent = (description: string, example: number) =>
  Type.Number({ minimum: 0, maximum: 100, description, examples: [example] })

const settings = entered(
  'Of the account, none of it secret: `region` and `deviceRoleArn` at AWS, `endpoint` at Azure.',
  { region: 'eu-west-1', deviceRoleArn: 'arn:aws:iam::111122223333:role/vouchsafe-device' },
)
const attemptsMax = Type.Integer({
  minimum: 1,
  maximum: limits.faceAttemptsMax,
  description: `Attempts that a holder has; ${limits.faceAttemptsDefault} unless it is set.`,
  examples: [limits.faceAttemptsDefault],
})
const windowMinutes = Type.Integer({
  minimum: limits.faceWindowMinutesMin,
  maximum: limits.faceWindowMinutesMax,
  description: `Minutes from the offer or the request to the end of the check; ${limits.faceWindowMinutesDefault} unless it is set.`,
  examples: [limits.faceWindowMinutesDefault],
})
const matchMin = percent(
  'The least likeness of face and image that passes; 90 unless it is set, 70 at Azure.',
  90,
)
const LIVENESS =
  'The least certainty of a living person that passes; 80 unless it is set. Azure has no such score: null there.'
const credentialDefinitionIds = Type.Array(
  sentText(limits.ledgerIdCharactersMax, 'A catalogue id or a ledger id.', 'def_c20a4b6d8f1e3c5a7b9d0f2e4c'),
  {
    maxItems: 200,
    description:
      'Credentials of these definitions are issued behind a check. They are shown by catalogue id.',
  },
)

export const sentPolicy = exact({
  vendor: choice(vendors, 'Who checks; sandbox is there on the sandbox ledger alone.', 'aws_rekognition'),
  settings: Type.Optional(settings),
  credentials: Type.Optional(
    entered(
      'The secrets of the account, never shown again; left out, those of the same vendor stay, at Azure those of the same endpoint. `accessKeyId` and `secretAccessKey` at AWS, `key` at Azure.',
      { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: '…' },
    ),
  ),
  livenessMin: Type.Optional(percent(LIVENESS, 80)),
  matchMin: Type.Optional(matchMin),
  attemptsMax: Type.Optional(attemptsMax),
  windowMinutes: Type.Optional(windowMinutes),
  credentialDefinitionIds: Type.Optional(credentialDefinitionIds),
})

export const policySchema = recordOf('BiometricPolicy', {
  vendor: choice(
    vendors,
    'The vendor that checks faces; none: nothing is behind a check.',
    'aws_rekognition',
  ),
  settings,
  hasCredentials: Type.Boolean({ description: 'Whether the secrets of the account are entered.' }),
  livenessMin: Type.Union([Type.Number(), Type.Null()], { description: LIVENESS, examples: [80] }),
  matchMin,
  attemptsMax,
  windowMinutes,
  credentialDefinitionIds,
  createdAt: momentOrNull('When it was set first; null: never.'),
  updatedAt: momentOrNull('When it was set last.'),
})

const NEVER_SET: Static<typeof policySchema> = {
  vendor: 'none',
  settings: {},
  hasCredentials: false,
  livenessMin: 80,
  matchMin: 90,
  attemptsMax: limits.faceAttemptsDefault,
  windowMinutes: limits.faceWindowMinutesDefault,
  credentialDefinitionIds: [],
  createdAt: null,
  updatedAt: null,
}

export const policyView = (policy: BiometricPolicy | null): Static<typeof policySchema> => {
  if (policy === null) return NEVER_SET
  const { vendor, livenessMin, matchMin: match, attemptsMax: attempts, windowMinutes: minutes } = policy
  return {
    vendor,
    settings: { ...policy.settings },
    hasCredentials: policy.sealedCredentials !== null,
    livenessMin,
    matchMin: match,
    attemptsMax: attempts,
    windowMinutes: minutes,
    credentialDefinitionIds: [...policy.credentialDefinitionIds],
    createdAt: isoTime(policy.createdAtMs),
    updatedAt: isoTime(policy.updatedAtMs),
  }
}

export const trialSchema = recordOf('BiometricTrial', {
  works: Type.Boolean({ description: 'Whether everything is allowed and understood that a check needs.' }),
  problems: Type.Array(Type.String(), {
    description: 'What stands in the way, a sentence each.',
    examples: [['The access key may not do rekognition:CompareFaces.']],
  }),
})
