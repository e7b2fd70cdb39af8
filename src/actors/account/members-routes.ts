import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import type { Caller } from '../../http/callers/caller.ts'
import { pageOf, pageOfAll, pageQuery, pageReply } from '../../http/route/list.ts'
import { memberSchema } from './record.ts'
import { exact } from '../../http/route/fields.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { Tag } from '../../http/openapi/tags.ts'
import type { Realm } from '../roster/rules.ts'
import { tags } from '../tags.ts'
import {
  GONE,
  invitationAgain,
  invitedAddress,
  memberWithLink,
  NOT_PERSONAL,
  viewOf,
  withLink,
} from './invitation-answer.ts'
import {
  changeRole,
  inviteAccount,
  listMembers,
  newInvitationId,
  readMember,
  removeMember,
  type RemovalPorts,
} from './members.ts'
import { account, type AccountRole } from './state.ts'

const role = Type.Unsafe<'admin' | 'viewer'>({
  type: 'string',
  enum: ['admin', 'viewer'],
  description: 'What the account may do: a viewer changes nothing.',
})
const invitationRefusals = ['invalid_request', 'not_found', 'already_member', 'members_too_many'] as const
const operatorRefusals = ['invalid_request', 'already_member', 'members_too_many'] as const
const changeRefusals = ['not_found', 'last_administrator'] as const

/** The people of an organisation, and under a path of their own the operators of the service. */
export const memberRoutes = (ports: RemovalPorts): readonly Route[] => [
  ...peopleRoutes(ports, {
    kind: 'member',
    path: '/v1/members',
    tag: tags.members,
    names: ['listMembers', 'getMember', 'inviteMember', 'removeMember'],
    who: 'member',
    one: 'a member',
    invitation: exact({ emailAddress: invitedAddress, role }),
    refusals: invitationRefusals,
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/members/{id}',
    operationId: 'changeMemberRole',
    summary: 'Changes what a member may do',
    tag: tags.members,
    access: { callers: ['member'], changesMembers: true, needsStepUp: true },
    idempotency: {
      newRecordId: ({ params: { id = '' }, caller }) =>
        account.find(id) ?? newInvitationId(realmOf(caller), ports.runtime),
      showRecord: async (tenant, id) => {
        const found = await readMember(ports, tenant, id)
        return isRefused(found) ? GONE : viewOf(found)
      },
      storedFields: NOT_PERSONAL,
    },
    body: exact({ role }),
    responses: { 200: memberSchema },
    errors: changeRefusals,
    handle: async ({ caller, params, body }) => {
      const changed = await changeRole(ports, caller.tenantId, params.id, body.role)
      return isRefused(changed) ? refusal(changeRefusals, changed) : reply(200, viewOf(changed))
    },
  }),
  ...peopleRoutes(ports, {
    kind: 'operator',
    path: '/v1/operator/operators',
    tag: tags.operators,
    names: ['listOperators', 'getOperator', 'inviteOperator', 'removeOperator'],
    who: 'operator of the service',
    one: 'an operator of the service',
    invitation: exact({ emailAddress: invitedAddress }),
    refusals: operatorRefusals,
  }),
]

type People = {
  readonly kind: 'member' | 'operator'
  readonly path: '/v1/members' | '/v1/operator/operators'
  readonly tag: Tag
  readonly names: readonly [list: string, show: string, invite: string, remove: string]
  readonly who: string
  readonly one: string
  readonly invitation: ReturnType<typeof exact>
  readonly refusals: readonly (typeof invitationRefusals)[number][]
}

const peopleRoutes = (ports: RemovalPorts, people: People): readonly Route[] => {
  const { kind, path, who, one, invitation, refusals, tag } = people
  const [list, show, invite, remove] = people.names
  const reading = { tag, access: { callers: [kind] } } as const
  const access = { callers: [kind], changesMembers: true, needsStepUp: true } as const
  return [
    defineRoute({
      method: 'GET',
      path,
      operationId: list,
      description: '`q` looks in the address and the name.',
      ...reading,
      summary: `Lists every ${who}, newest first; q looks in address and name`,
      query: Type.Object(pageQuery),
      responses: { 200: pageOf(memberSchema) },
      errors: ['invalid_request'],
      handle: async (request) => {
        const everyone = (await listMembers(ports, realmOf(request.caller))).map(viewOf)
        const found = pageOfAll(everyone, request.query, (each) => [each.emailAddress, each.name])
        return pageReply(request.head, found)
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${path}/{id}` as const,
      operationId: show,
      ...reading,
      summary: `Shows one ${who}`,
      responses: { 200: memberSchema },
      errors: ['not_found'],
      handle: async (request) => {
        const found = await readMember(ports, realmOf(request.caller), request.params.id)
        return isRefused(found) ? refusal(['not_found'] as const, found) : reply(200, viewOf(found))
      },
    }),
    defineRoute({
      method: 'POST',
      path,
      operationId: invite,
      tag,
      summary: `Invites ${one}; the link is shown this once, and a new one replaces it`,
      access,
      idempotency: invitationAgain(ports, ({ caller }) => realmOf(caller)),
      body: invitation,
      responses: { 201: memberWithLink },
      errors: refusals,
      handle: async (request) => {
        const { emailAddress: invitee, role: wanted = 'operator' } = request.body as Order
        const made = await inviteAccount(ports, realmOf(request.caller), invitee, wanted, request.recordId)
        return isRefused(made) ? refusal(refusals, made) : reply(201, withLink(made))
      },
    }),
    defineRoute({
      method: 'DELETE',
      path: `${path}/{id}` as const,
      operationId: remove,
      tag,
      summary: `Removes ${one}: every session ends, and what was personal is gone`,
      access,
      responses: { 200: memberSchema },
      errors: changeRefusals,
      handle: async (request) => {
        const removed = await removeMember(ports, realmOf(request.caller), request.params.id)
        return isRefused(removed) ? refusal(changeRefusals, removed) : reply(200, viewOf(removed))
      },
    }),
  ]
}

type Order = { readonly emailAddress: string; readonly role?: AccountRole }

const realmOf = (caller: Caller): Realm => (caller.kind === 'member' ? caller.tenantId : null)
