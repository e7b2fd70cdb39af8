import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOLDER_WAIT_MS, proposed } from '../../../src/domain/exchange.ts'
import { OLD_PREFIX } from '../../../src/domain/message-prefix.ts'
import { credentialDecider, type CredentialTypes } from '../../../src/actors/credential/rules.ts'
import type { CredentialCommand, CredentialEvent } from '../../../src/actors/credential/state.ts'
import { isRefused } from '../../../src/domain/decider.ts'
import {
  itFollowsItsTable,
  itIsHiddenFromStrangers,
  runPath,
  type Machine,
} from '../../domain/transition-table.ts'

type CommandType = CredentialCommand['type']

const offer: CredentialCommand = {
  type: 'OfferCredential',
  atMs: 1000,
  tenant: 'ten_00aaaaaaaa',
  connectionId: 'con_00aaaaaaaa',
  externalId: 'order-1',
  definition: { catalogueId: 'def_00aaaaaaaa', ledgerId: 'did:3:CL:1:default' },
  threadId: 'thread',
  nonce: '1',
  attributes: { name: 'Ada' },
}
const fromHolder = { from: 'con_00aaaaaaaa', prefix: 'https://didcomm.org/' } as const
const commands: Record<CommandType | 'EraseRecord (with its connection)', CredentialCommand> = {
  OfferCredential: offer,
  RecordOfferDelivered: { type: 'RecordOfferDelivered', atMs: 2000 },
  OfferInOtherFormat: { type: 'OfferInOtherFormat', atMs: 32_000 },
  ReceiveCredentialRequest: {
    type: 'ReceiveCredentialRequest',
    atMs: 3000,
    ...fromHolder,
    request: { id: 'request', hash: 'h' },
  },
  RecordCredentialSigned: {
    type: 'RecordCredentialSigned',
    atMs: 4000,
    credential: { id: 'credential', hash: 'h' },
  },
  RecordSigningRefused: { type: 'RecordSigningRefused', atMs: 4000, reason: 'The request is not valid.' },
  RecordCredentialDelivered: { type: 'RecordCredentialDelivered', atMs: 5000 },
  ReceiveCredentialAck: { type: 'ReceiveCredentialAck', atMs: 6000, ...fromHolder },
  ReceiveCredentialProposal: { type: 'ReceiveCredentialProposal', atMs: 3000, ...fromHolder },
  ReceiveCredentialProblem: {
    type: 'ReceiveCredentialProblem',
    atMs: 6000,
    ...fromHolder,
    code: 'issuance-abandoned',
    text: 'Declined',
  },
  RecordLastWord: { type: 'RecordLastWord', atMs: 7000, became: 'delivered' },
  CancelExchange: { type: 'CancelExchange', atMs: 8000, tenant: 'ten_00aaaaaaaa' },
  EraseRecord: { type: 'EraseRecord', atMs: 9000, tenant: 'ten_00aaaaaaaa', by: 'api_key' },
  'EraseRecord (with its connection)': {
    type: 'EraseRecord',
    atMs: 9000,
    tenant: 'ten_00aaaaaaaa',
    by: 'api_key',
    withConnection: true,
  },
  RetryLastWord: { type: 'RetryLastWord', atMs: 7000 },
  AbandonCredential: { type: 'AbandonCredential', atMs: 10_000 + HOLDER_WAIT_MS },
}
const requested = [offer, commands.ReceiveCredentialRequest]
const signed = [...requested, commands.RecordCredentialSigned]
const issued = [...signed, commands.RecordCredentialDelivered]
const done = [...issued, commands.ReceiveCredentialAck]
const paths: Record<Column, readonly CredentialCommand[]> = {
  none: [],
  'offer-sent': [offer],
  'request-received': requested,
  'request-received (signed)': signed,
  'credential-issued': issued,
  done,
  declined: [offer, commands.ReceiveCredentialProblem],
  abandoned: [offer, commands.AbandonCredential],
  'done (erased)': [...done, commands.EraseRecord],
}
type Column = CredentialTypes['state']['status'] | 'request-received (signed)' | 'done (erased)'

const machine: Machine<CredentialTypes> = { decider: credentialDecider, paths, commands }

const eventsOf = (
  state: CredentialTypes['state'],
  command: CredentialCommand,
): readonly CredentialEvent[] => {
  const decided = credentialDecider.decide(state, command)
  return isRefused(decided) ? [] : decided
}

describe('a credential exchange', () => {
  itFollowsItsTable('EXCHANGES.md', machine)
  itIsHiddenFromStrangers(machine, 'offer-sent')

  it('never signs twice, and goes on from a signature only to the same credential', () => {
    const sequence = fc.array(fc.constantFrom(...Object.values(commands)), { maxLength: 30 })
    fc.assert(
      fc.property(sequence, (sent) => {
        let state: CredentialTypes['state'] = { status: 'none' }
        let [signatures, last] = [0, 0]
        for (const command of [offer, ...sent]) {
          for (const event of eventsOf(state, command)) {
            if (event.type === 'CredentialSigned') signatures += 1
            state = credentialDecider.evolve(state, event)
            if ('change' in event) {
              expect(event.change.sequence).toBe(last + 1)
              last = event.change.sequence
            }
          }
          const owed = credentialDecider.owed?.(state) ?? []
          expect(owed.length).toBeLessThanOrEqual(1)
          if (signatures > 0) expect(owed.map((effect) => effect.kind)).not.toContain('sign-credential')
        }
        expect(signatures).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('that is acknowledged before we noted the delivery tells both changes, in order', () => {
    const events = eventsOf(runPath(machine, 'request-received (signed)'), commands.ReceiveCredentialAck)
    expect(events.map((event) => 'change' in event && event.change)).toEqual([
      { state: 'credential-issued', previousState: 'request-received', sequence: 3 },
      { state: 'done', previousState: 'credential-issued', sequence: 4 },
    ])
  })

  it('waits 24 hours from each step of the holder, not a millisecond less', () => {
    for (const state of ['offer-sent', 'request-received', 'credential-issued']) {
      const reached = runPath(machine, state) as Exclude<CredentialTypes['state'], { status: 'none' }>
      const [timer] = credentialDecider.timers?.(reached) ?? []
      expect(timer?.dueMs).toBe(reached.updatedAtMs + HOLDER_WAIT_MS)
      const early = { type: 'AbandonCredential', atMs: (timer?.dueMs ?? 0) - 1 } as const
      expect(credentialDecider.decide(reached, early)).toEqual([])
    }
    expect(credentialDecider.timers?.(runPath(machine, 'done'))).toEqual([])
  })

  it('that the holder answers with a proposal is declined, and owes the holder a word', () => {
    const proposal = { ...commands.ReceiveCredentialProposal, prefix: OLD_PREFIX } as CredentialCommand
    const [event] = eventsOf(runPath(machine, 'offer-sent'), proposal)
    if (event === undefined) throw new Error('nothing happened')
    const over = credentialDecider.evolve(runPath(machine, 'offer-sent'), event)
    expect(over).toMatchObject({ status: 'declined', errorMessage: 'The holder proposed something else.' })
    const [owed] = credentialDecider.owed?.(over) ?? []
    expect(owed).toMatchObject({
      kind: 'deliver-problem',
      over: { lastWord: { problem: proposed.problem }, prefix: OLD_PREFIX },
    })
    expect(credentialDecider.timers?.(over)).toEqual([])
  })

  it('that is erased has neither values nor what the holder said', () => {
    for (const state of ['done', 'declined', 'abandoned']) {
      const over = runPath(machine, state)
      const [event] = eventsOf(over, commands.EraseRecord)
      if (event === undefined) throw new Error('nothing happened')
      expect(credentialDecider.evolve(over, event)).toEqual({
        ...over,
        attributes: null,
        errorMessage: null,
        erasedAtMs: 9000,
        erasedBy: 'api_key',
        updatedAtMs: 9000,
        sequence: 'sequence' in over ? over.sequence + 1 : 0,
      })
    }
  })

  it('says in the end whether the credential had been sent', () => {
    const messageAfter = (
      state: string,
      ending: 'AbandonCredential' | 'CancelExchange' = 'AbandonCredential',
    ) => {
      const reached = runPath(machine, state)
      const [event] = eventsOf(reached, commands[ending])
      return event && 'errorMessage' in event ? event.errorMessage : null
    }
    expect(messageAfter('offer-sent')).toMatch(/did not answer/)
    expect(messageAfter('request-received')).toMatch(/could not be delivered/)
    expect(messageAfter('credential-issued')).toMatch(/was sent/)
    expect(messageAfter('request-received', 'CancelExchange')).not.toMatch(/was sent/)
    // Its delivery may be under way, or have succeeded without our hearing of it.
    expect(messageAfter('request-received (signed)', 'CancelExchange')).toMatch(/may have been sent/)
    expect(messageAfter('credential-issued', 'CancelExchange')).toMatch(/was sent/)
  })
})
