import { isRefused } from '../../domain/decider.ts'
import type { PublishingCommand } from '../../domain/publishing.ts'
import { credentialDefinition } from '../credential-definition/rules.ts'
import type { KindPorts } from '../kind-ports.ts'
import { schema } from '../schema/rules.ts'
import type { EndorsementCommand, EndorsementEffect, EndorsementRecord } from './rules.ts'

/** The record goes on, or fails with the operator's reason; one that is gone meanwhile hears nothing. */
export const tellRecord = async (
  { actors, runtime }: Pick<KindPorts, 'actors' | 'runtime'>,
  { endorsement }: EndorsementEffect,
): Promise<EndorsementCommand> => {
  const { recordType, recordId, attempt } = endorsement
  const command = decisionOf(endorsement, runtime.now())
  const options = { commandId: `endorsement:${attempt}`, tenant: null }
  const told =
    recordType === 'schema'
      ? await actors.ask(schema.ref(recordId), command, options)
      : await actors.ask(credentialDefinition.ref(recordId), command, options)
  const isGone =
    isRefused(told) && (told.refused === 'not_found' || told.refused === 'credential_definition_not_found')
  if (isRefused(told) && !isGone) throw new Error(`the record would not hear the decision: ${told.refused}`)
  return { type: 'RecordDecisionTold', atMs: runtime.now() }
}

const decisionOf = (
  { status, reason, attempt }: EndorsementRecord,
  atMs: number,
): Extract<PublishingCommand, { readonly attempt: number }> =>
  status === 'approved'
    ? { type: 'RecordEndorsed', atMs, attempt }
    : { type: 'RecordEndorsementRefused', atMs, attempt, reason: reason ?? 'An operator refused it.' }
