import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { failureIn, HOLDER_WAIT_MS, isState, proposed } from '../../../src/domain/exchange.ts'
import { OLD_PREFIX } from '../../../src/domain/message-prefix.ts'
import { credentialDecider, type CredentialTypes } from '../../../src/actors/credential/rules.ts'
import { credentialStored } from '../../../src/actors/credential/stored.ts'
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
const gated = {
  faceCheck: {
    id: 'fck_00aaaaaaaa',
    vendor: 'aws_rekognition',
    status: 'pending',
    attempts: 0,
    attemptsRemaining: 3,
    attemptsMax: 3,
    expiresAtMs: 1_801_000,
    decidedAtMs: null,
  },
} as const
const passed = {
  type: 'RecordFaceCheck',
  atMs: 6000,
  checkId: 'fck_00aaaaaaaa',
  status: 'passed',
  attempts: 1,
  attemptsRemaining: 2,
  result: { livenessScore: 98, matchScore: 96, reason: null },
} as const
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
  RecordFaceCheck: passed,
  AbandonForFaceCheck: { type: 'AbandonForFaceCheck', atMs: 6000 },
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
  RecordFaceCheckEnded: { type: 'RecordFaceCheckEnded', atMs: 9000 },
  AbandonCredential: { type: 'AbandonCredential', atMs: 10_000 + HOLDER_WAIT_MS },
}
const requested = [offer, commands.ReceiveCredentialRequest]
const signed = [...requested, commands.RecordCredentialSigned]
const issued = [...signed, commands.RecordCredentialDelivered]
const done = [...issued, commands.ReceiveCredentialAck]
const checkedOffer: CredentialCommand = { ...offer, ...gated }
const checking = [checkedOffer, commands.ReceiveCredentialRequest]
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
  'request-received (face check)': checking,
  'abandoned (face check)': [...checking, commands.CancelExchange],
}
type Column =
  | CredentialTypes['state']['status']
  | 'request-received (signed)'
  | 'done (erased)'
  | 'request-received (face check)'
  | 'abandoned (face check)'

const machine: Machine<CredentialTypes> = { decider: credentialDecider, paths, commands }

const plain = {
  seal: (text: string) => Buffer.from(text).toString('base64'),
  open: (sealed: string) => Buffer.from(sealed, 'base64').toString(),
}

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

  it('whose offer went out twice is not ended by a problem that its wallet has with the second one', () => {
    const delivered = { ...commands.RecordOfferDelivered, otherAtMs: 32_000 } as CredentialCommand
    const after = (...sent: readonly CredentialCommand[]) =>
      sent.reduce<CredentialTypes['state']>(
        (state, command) => eventsOf(state, command).reduce(credentialDecider.evolve, state),
        { status: 'none' },
      )
    const twice = [offer, delivered, commands.OfferInOtherFormat]
    const declined = after(...twice, commands.ReceiveCredentialProblem)
    expect(declined.status).toBe('declined')
    const path = [...twice, commands.ReceiveCredentialRequest]
    for (const next of [commands.RecordCredentialSigned, commands.RecordCredentialDelivered]) {
      expect(eventsOf(after(...path), commands.ReceiveCredentialProblem)).toEqual([])
      path.push(next)
    }
    const sent = after(...path)
    expect(sent.status).toBe('credential-issued')
    expect(eventsOf(sent, commands.ReceiveCredentialProblem)).toEqual([])
    expect(credentialStored.snapshots.decode(credentialStored.snapshots.encode(sent, plain), plain)).toEqual(
      sent,
    )
    expect(after(...path, commands.ReceiveCredentialAck)).toMatchObject({ status: 'done' })
    expect(after(...path, commands.AbandonCredential)).toMatchObject({ status: 'abandoned' })
    expect(after(...path, commands.ReceiveCredentialAck)).not.toHaveProperty('openedTwice')
    const once = after(offer, delivered, commands.ReceiveCredentialRequest)
    expect(eventsOf(once, commands.ReceiveCredentialProblem)).toMatchObject([{ type: 'CredentialAbandoned' }])
  })

  it('behind a face check owes no signature before it is passed, in whatever order that and the request come', () => {
    const after = (...sent: readonly CredentialCommand[]) =>
      sent.reduce<CredentialTypes['state']>(
        (state, command) => eventsOf(state, command).reduce(credentialDecider.evolve, state),
        { status: 'none' },
      )
    const kindsOwed = (state: CredentialTypes['state']) =>
      (credentialDecider.owed?.(state) ?? []).map(({ kind }) => kind)
    const told = [checkedOffer, commands.RecordOfferDelivered, commands.ReceiveCredentialRequest]
    expect(kindsOwed(after(...told))).toEqual([])
    const failed: CredentialCommand = { ...passed, status: 'pending' }
    expect(kindsOwed(after(...told, failed))).toEqual([])
    expect(kindsOwed(after(...checking, passed))).toEqual(['sign-credential'])
    const request = commands.ReceiveCredentialRequest
    expect(kindsOwed(after(checkedOffer, passed, request))).toEqual(['sign-credential'])
  })

  it('owes its wallet the word that a check is required, also where the request came before that was noted', () => {
    const untold = runPath(machine, 'request-received (face check)')
    const owedOf = (state: CredentialTypes['state']) => credentialDecider.owed?.(state) ?? []
    // As the step that may be under way, so that it does not begin a second time.
    const [opening] = owedOf(
      eventsOf({ status: 'none' }, checkedOffer).reduce(credentialDecider.evolve, { status: 'none' }),
    )
    expect(owedOf(untold)).toMatchObject([{ id: opening?.id, kind: 'tell-of-check' }])
    const kept = credentialStored.snapshots.decode(credentialStored.snapshots.encode(untold, plain), plain)
    expect(kept).toEqual(untold)
    const told = eventsOf(untold, commands.RecordOfferDelivered).reduce(credentialDecider.evolve, untold)
    expect(owedOf(told)).toEqual([])
    expect(eventsOf(told, commands.RecordOfferDelivered)).toEqual([])
    const decided = eventsOf(untold, { ...passed, status: 'failed' }).reduce(credentialDecider.evolve, untold)
    expect(owedOf(decided)).toEqual([])
  })

  it('tells each change of its face check, with what was found', () => {
    const checkingNow = runPath(machine, 'request-received (face check)')
    expect(eventsOf(checkingNow, passed)).toMatchObject([
      {
        type: 'CredentialFaceChecked',
        change: { state: 'request-received', previousState: 'request-received', sequence: 3 },
        faceCheck: { status: 'passed', attempts: 1, attemptsRemaining: 2, decidedAtMs: 6000 },
        faceResult: { livenessScore: 98, matchScore: 96, reason: null },
      },
    ])
    // Of another check, or after the window, nothing counts.
    const strange = { ...passed, checkId: 'fck_00bbbbbbbb' }
    expect(credentialDecider.decide(checkingNow, strange)).toMatchObject({ refused: 'message_late' })
    const late = { ...passed, atMs: 1_801_000 }
    expect(credentialDecider.decide(checkingNow, late)).toMatchObject({ refused: 'message_late' })
  })

  it('is abandoned at the end of its face check, not a millisecond before', () => {
    const state = runPath(machine, 'request-received (face check)')
    expect(credentialDecider.timers?.(state)).toContainEqual({ id: 'face-check', dueMs: 1_801_000 })
    expect(eventsOf(state, { type: 'AbandonCredential', atMs: 1_800_999 })).toEqual([])
    const [event] = eventsOf(state, { type: 'AbandonCredential', atMs: 1_801_000 })
    expect(event).toMatchObject({
      errorMessage: expect.stringMatching(/within its time/) as string,
      faceCheck: { status: 'expired' },
    })
  })

  it('that ends while its face check runs has it cancelled, and owes the check a word', () => {
    const over = runPath(machine, 'abandoned (face check)')
    expect(over).toMatchObject({ faceCheck: { status: 'cancelled', decidedAtMs: 8000 }, checkToEnd: true })
    expect(credentialDecider.owed?.(over)?.map(({ kind }) => kind)).toEqual([
      'deliver-problem',
      'end-face-check',
    ])
  })

  it('that begins again long after its face check is over is refused, because the check would begin anew', () => {
    expect(eventsOf(runPath(machine, 'request-received (face check)'), checkedOffer)).toEqual([])
    const over = runPath(machine, 'abandoned (face check)')
    expect(credentialDecider.decide(over, checkedOffer)).toMatchObject({ refused: 'exchange_over' })
  })

  it('says in the end whether the credential had been sent', () => {
    const hangup = { ...commands.CancelExchange, by: 'holder' } as CredentialCommand
    const messageAfter = (
      state: string,
      ending: 'AbandonCredential' | 'CancelExchange' | 'hangup' = 'AbandonCredential',
    ) => {
      const reached = runPath(machine, state)
      const [event] = eventsOf(reached, ending === 'hangup' ? hangup : commands[ending])
      return event && 'errorMessage' in event ? event.errorMessage : null
    }
    expect(messageAfter('offer-sent')).toMatch(/did not answer/)
    expect(messageAfter('request-received')).toMatch(/could not be delivered/)
    expect(messageAfter('credential-issued')).toMatch(/was sent/)
    expect(messageAfter('request-received', 'CancelExchange')).not.toMatch(/was sent/)
    // Its delivery may be under way, or have succeeded without our hearing of it.
    expect(messageAfter('request-received (signed)', 'CancelExchange')).toMatch(/may have been sent/)
    expect(messageAfter('credential-issued', 'CancelExchange')).toMatch(/was sent/)
    for (const state of ['offer-sent', 'request-received'])
      expect(messageAfter(state, 'hangup')).toBe('The holder closed the connection.')
    expect(messageAfter('request-received (signed)', 'hangup')).toMatch(
      /^The holder closed.*may have been sent/,
    )
    expect(messageAfter('credential-issued', 'hangup')).toMatch(/was sent; the holder closed/)
    expect(messageAfter('done', 'hangup')).toBeNull()
  })

  it.each([
    ['offer-sent', commands.ReceiveCredentialProblem, 'declined_by_holder'],
    ['offer-sent', commands.ReceiveCredentialProposal, 'proposed_something_else'],
    ['request-received', commands.ReceiveCredentialProblem, 'reported_by_wallet'],
    ['offer-sent', commands.AbandonCredential, 'no_answer'],
    ['request-received', commands.AbandonCredential, 'not_delivered'],
    ['credential-issued', commands.AbandonCredential, 'not_acknowledged'],
    ['request-received', commands.RecordSigningRefused, 'signing_refused'],
    ['offer-sent', commands.CancelExchange, 'cancelled'],
    ['offer-sent', { ...commands.CancelExchange, by: 'holder' } as CredentialCommand, 'closed_by_holder'],
    ['offer-sent', commands['EraseRecord (with its connection)'], 'erased'],
    [
      'request-received (face check)',
      { type: 'AbandonCredential', atMs: 1_801_000 },
      'face_check_not_passed',
    ],
    ['request-received (face check)', commands.AbandonForFaceCheck, 'face_check_refused'],
  ] as const)('that fails as %s keeps in a word why, also when it is erased', (state, ending, code) => {
    const ended = [ending, commands.EraseRecord].reduce<CredentialTypes['state']>(
      (reached, command) => eventsOf(reached, command).reduce(credentialDecider.evolve, reached),
      runPath(machine, state),
    )
    const steps = ended.status === 'none' ? [] : ended.steps
    expect(ended).toMatchObject({ errorMessage: null, erasedBy: 'api_key' })
    expect(steps.flatMap((step) => failureIn(step) ?? [])).toEqual([code])
    expect(steps.filter(isState).at(-1)?.[0]).toBe(ended.status)
    const stored = credentialStored.snapshots
    expect(stored.decode(stored.encode(ended, plain), plain)).toEqual(ended)
    for (const event of eventsOf(runPath(machine, state), ending)) {
      const text = credentialStored.events.encode(event, plain)
      const bare = credentialStored.events.decode(text, { ...plain, open: () => null })
      if ('errorMessage' in event) expect(bare).toMatchObject({ errorMessage: null, failure: code })
    }
  })
})
