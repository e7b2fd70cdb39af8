import { describe, expect, it } from 'vitest'
import { problem } from '../../../src/http/route/problem.ts'
import type { Caller } from '../../../src/http/callers/caller.ts'
import { withConsoleRules } from '../../../src/actors/account/console-rules.ts'
import { openReason } from '../../../src/actors/audit-entry/commands.ts'
import type { AuditCommand } from '../../../src/actors/audit-entry/rules.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { actorsThat } from '../../host/parts/actors-that.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { type AnyRequest, defineRoute, reply, type Route } from '../../../src/http/route/route.ts'
import { exact } from '../../../src/http/route/fields.ts'
import { Type } from 'typebox'

const lines: unknown[] = []
let opened: unknown
/** Gathers what is written into the lines of the audit log, and how each was closed. */
const writeLine = async (_: string, { type, atMs: __, ...line }: AuditCommand): Promise<unknown> => {
  if (type === 'CloseAuditEntry') return lines.push([opened, line])
  const { outcome, ...facts } = line as Extract<AuditCommand, { type: 'OpenAuditEntry' }>
  expect(outcome).toBe('open')
  opened = facts
  return facts
}
const vault = new MemoryVault()
const ports = {
  actors: actorsThat({ ask: writeLine }),
  runtime: { ...createRuntime(), now: () => 1_000_000 },
  vault,
  publicUrl: () => 'https://console.example',
}
const route = (method: 'GET' | 'PUT', stepUp = false): Route =>
  withConsoleRules(
    defineRoute({
      method,
      path: '/v1/things/{id}',
      operationId: 'changeThing',
      summary: 's',
      access: { callers: ['api_key', 'member', 'operator'], needsStepUp: stepUp },
      responses: { 200: exact({ id: Type.String() }) },
      errors: ['not_found'],
      handle: ({ params }) =>
        params.id === 'none' ? problem('not_found', 'None.') : reply(200, { id: 'made' }),
    }),
    ports,
  )
const call = (to: Route, caller: Caller, id = 'thing_00aaaaaaaa') =>
  within(to, {
    caller,
    params: { id },
    query: {},
    body: null,
    recordId: '',
    head: {},
  } as unknown as AnyRequest)
const within = (to: Route, request: AnyRequest) => {
  const run = () => to.handle(request)
  return to.around === null ? run() : to.around(request, run)
}
const member = (steppedUpAtMs: number): Caller => ({
  kind: 'member',
  tenantId: 't',
  memberId: 'm',
  role: 'admin',
  session: { id: 's', steppedUpAtMs },
})
const key: Caller = { kind: 'api_key', tenantId: 't', keyId: 'k' }

describe('the rules for people', () => {
  it('write a line for what they change, done or refused, and none for what they read', async () => {
    lines.length = 0
    await call(route('GET'), member(0))
    await call(route('PUT'), key)
    expect(lines).toEqual([])
    await call(route('PUT'), member(0))
    await call(route('PUT'), { kind: 'operator', operatorId: 'o' }, 'none')
    expect(lines).toEqual([
      [
        {
          organisation: 't',
          initiator: 'member',
          initiatorId: 'm',
          action: 'changeThing',
          targetId: 'thing_00aaaaaaaa',
        },
        { outcome: 'done', targetId: 'made' },
      ],
      [
        {
          organisation: null,
          initiator: 'operator',
          initiatorId: 'o',
          action: 'changeThing',
          targetId: null,
        },
        { outcome: 'refused', targetId: null },
      ],
    ])
  })

  it('ask for the second factor again after five minutes, before secrets', async () => {
    expect(await call(route('PUT', true), member(700_001))).toMatchObject({ status: 200 })
    expect(await call(route('PUT', true), member(700_000))).toMatchObject({ problem: 'step_up_required' })
    expect(await call(route('GET', true), { kind: 'operator', operatorId: 'o' })).toMatchObject({
      problem: 'step_up_required',
    })
    expect(route('PUT', true).errors).toContain('step_up_required')
  })

  it('write a line for whatever somebody does who acts for an organisation, reading too, and show no secret', async () => {
    lines.length = 0
    const acting = { ...member(1_000_000), isActing: true } as Caller
    const facts = {
      organisation: 't',
      initiator: 'acting_operator',
      initiatorId: 'm',
      action: 'changeThing',
      targetId: 'thing_00aaaaaaaa',
    }
    expect(await call(route('GET'), acting)).toMatchObject({ status: 200 })
    expect(await call(route('PUT', true), acting)).toMatchObject({ problem: 'forbidden' })
    expect(lines).toEqual([
      [facts, { outcome: 'done', targetId: 'made' }],
      [facts, { outcome: 'refused', targetId: null }],
    ])
  })

  it('ask the local credential for no second factor, name it in the line, and keep it from accounts', async () => {
    lines.length = 0
    const operator = { kind: 'operator', operatorId: 'local', isLocal: true } as const
    const local = { kind: 'member', tenantId: 't', memberId: 'local', role: 'admin', isLocal: true } as const
    expect(await call(route('PUT', true), operator)).toMatchObject({ status: 200 })
    await call(route('GET'), operator)
    await call(route('GET'), local)
    const facts = { initiator: 'command_line', initiatorId: 'local', action: 'changeThing' }
    expect((lines as readonly (readonly [unknown, unknown])[]).map(([line]) => line)).toMatchObject([
      { ...facts, organisation: null },
      { ...facts, organisation: 't' },
    ])
    const own = defineRoute({
      method: 'GET',
      path: '/v1/own',
      operationId: 'own',
      summary: 's',
      access: { callers: ['member', 'operator'], isOwnAccount: true },
      responses: { 200: exact({}) },
      errors: [],
      handle: () => reply(200, {}),
    })
    expect(await call(withConsoleRules(own, ports), operator)).toMatchObject({ problem: 'forbidden' })
  })

  it('put the reason into the line of the organisation that it is about', async () => {
    lines.length = 0
    const order = (organisation: string | null): Route =>
      withConsoleRules(
        defineRoute({
          method: 'POST',
          path: '/v1/orders',
          operationId: 'order',
          summary: 's',
          access: { callers: ['operator'] },
          idempotency: 'ignored',
          audit: { organisation: () => Promise.resolve(organisation), reason: () => 'because' },
          responses: { 200: exact({}) },
          errors: [],
          handle: () => reply(200, {}),
        }),
        ports,
      )
    await call(order('t'), { kind: 'operator', operatorId: 'o' })
    await call(order(null), { kind: 'operator', operatorId: 'o' })
    const [told, untold] = lines as readonly (readonly [Record<string, unknown>, unknown])[]
    expect(told?.[0]).toMatchObject({ organisation: 't' })
    expect(await openReason({ vault }, 't', String(told?.[0]['sealedReason']))).toBe('because')
    expect(untold?.[0]).not.toHaveProperty('sealedReason')
  })
})
