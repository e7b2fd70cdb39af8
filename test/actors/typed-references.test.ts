import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { defineKind, keysAbove } from '../../src/actors/define-kind.ts'
import {
  lockoutDecider,
  signInLockout,
  type LockoutState,
  type LockoutTypes,
} from '../../src/actors/sign-in-lockout/rules.ts'
import { event, storedRecord, textOrNull, time } from '../../src/actors/stored-fields.ts'
import { tenant, tenantDecider, type TenantTypes } from '../../src/actors/tenant/rules.ts'
import type { Ref } from '../../src/domain/references.ts'
import { isRefused } from '../../src/domain/decider.ts'
import { codec, eventCodec } from '../../src/host/codec.ts'
import { addressed } from '../../src/ports/actors.ts'
import { actorsThat } from '../host/parts/actors-that.ts'

const lockout = signInLockout.ref('try_00aaaaaaaa')
const state: LockoutState = { count: 2, lastAtMs: 1, lockedUntilMs: 0 }
const count = { type: 'CountAttempt', atMs: 1, free: 5 } as const
const actors = actorsThat({ ask: async () => null, read: () => state, askAtomically: async () => [null] })
const asked = { commandId: 'c', tenant: null }

describe('a reference to an actor does not compile', () => {
  it('with a command that its kind does not take', () => {
    // @ts-expect-error how many are free is missing
    expect(addressed(lockout, { type: 'CountAttempt', atMs: 1 }).to).toBe(lockout)
    // @ts-expect-error only organisations are suspended
    expect(addressed(lockout, { type: 'SuspendTenant', atMs: 1 }).to).toBe(lockout)
  })

  it('where one to another kind is wanted, nor does a text', () => {
    // @ts-expect-error a lockout is no organisation
    const other: Ref<TenantTypes> = lockout
    // @ts-expect-error a text becomes a reference through `ref` or `find`
    const text: Ref<LockoutTypes> = 'try_00aaaaaaaa'
    expect([other, text]).toEqual([lockout, lockout])
  })

  it('made of one to another kind', () => {
    // @ts-expect-error the id of a lockout is known to be no organisation's
    expect(tenant.ref(lockout)).toBe(lockout)
    expect(signInLockout.ref(lockout)).toBe(lockout)
  })

  it('where its kind replies something else', async () => {
    // @ts-expect-error the reply is null
    const reply: { readonly count: number } = await actors.ask(lockout, count, asked)
    const together = await actors.askAtomically([addressed(lockout, count)], asked)
    // @ts-expect-error each reply is that of its kind
    const first: string = isRefused(together) ? '' : together[0]
    expect([reply, first]).toEqual([null, null])
  })

  it('where something is read that its views do not show', async () => {
    const read = await actors.read(lockout)
    // @ts-expect-error a lockout has no name
    expect(isRefused(read) || read.name).toBeUndefined()
    // @ts-expect-error there is only the record
    expect(await actors.read(lockout, { view: 'privatePart' })).toBe(state)
  })
})

describe('a kind of record does not compile', () => {
  const counts = { count: time, lockedUntilMs: time }
  const snapshots = codec({ version: 1, schema: Type.Object({ ...counts, lastAtMs: time }) })
  const most = {
    AttemptCounted: { version: 1, schema: event('AttemptCounted', counts) },
    AttemptForgiven: { version: 1, schema: event('AttemptForgiven', { lockedUntilMs: time }) },
  }
  const forgotten = { version: 1, schema: event('AttemptsForgotten', {}) }
  const spec = { references: signInLockout, decider: lockoutDecider, snapshots }

  it('when one of its events has no stored form, or one that lacks a field', () => {
    const forgetful = eventCodec(most)
    // @ts-expect-error nothing says how AttemptsForgotten is stored
    expect(defineKind<LockoutTypes>({ ...spec, events: forgetful }).prefix).toBe('try')
    const AttemptCounted = { version: 1, schema: event('AttemptCounted', { count: time }) }
    const lacking = eventCodec({ ...most, AttemptCounted, AttemptsForgotten: forgotten })
    // @ts-expect-error the time of the lock is not stored
    expect(defineKind<LockoutTypes>({ ...spec, events: lacking }).prefix).toBe('try')
    const events = eventCodec({ ...most, AttemptsForgotten: forgotten })
    expect(defineKind<LockoutTypes>({ ...spec, events }).prefix).toBe('try')
  })

  it('when it owes something and does not say how that is done', () => {
    const stored = { events: {} as never, snapshots: {} as never, onTimer: (() => null) as never }
    // @ts-expect-error an organisation owes its registration
    expect(defineKind<TenantTypes>({ references: tenant, decider: tenantDecider, ...stored }).prefix).toBe(
      'ten',
    )
  })
})

describe('a kind of record is refused at the start', () => {
  const stored = storedRecord({ events: {}, records: [{ label: textOrNull }], personal: ['label'] })
  const rules = { ...lockoutDecider, timers: () => [] }
  const json = { encode: JSON.stringify, decode: JSON.parse } as never

  it('when its rules have timers and nothing says what these mean', () => {
    const spec = { references: signInLockout, decider: rules, events: json, snapshots: json }
    const reason = 'try: its rules have timers, so onTimer must say what each means'
    expect(() => defineKind<LockoutTypes>(spec)).toThrow(reason)
    expect(defineKind<LockoutTypes>({ ...spec, onTimer: (_, atMs) => ({ ...count, atMs }) }).prefix).toBe(
      'try',
    )
  })

  it('when it has personal fields and no keys above their own', () => {
    const snapshots = stored.snapshots as never
    const spec = { references: signInLockout, decider: lockoutDecider, events: json, snapshots }
    expect(() => defineKind<LockoutTypes>(spec)).toThrow('try: it has personal fields, so keyParent must say')
    expect(defineKind<LockoutTypes>({ ...spec, keyParent: keysAbove }).prefix).toBe('try')
  })
})
