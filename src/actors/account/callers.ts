import { isRefused, type Refused } from '../../domain/decider.ts'
import type { Callers } from '../../http/callers/caller.ts'
import { actingNow } from '../acting/act-for.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { livingTenant } from '../tenant/read.ts'
import { ownSessionOfToken } from './own-account.ts'
import { liveSessions } from './rules.ts'
import { account } from './state.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime'>
type OwnerPorts = Ports & Pick<ApiPorts, 'activeTenants' | 'tokenTags'>

type Member = Callers['member']

/** The person whose session it is: null when it is over, refused while the organisation is suspended. */
export const ownerOfSession = async (
  ports: OwnerPorts,
  token: string,
): Promise<Member | Callers['operator'] | (Refused & { readonly owner: Member }) | null> => {
  const found = await ownSessionOfToken(ports, token)
  if (found === null) return null
  const { accountId } = found
  const { role, organisation } = found.account
  const session = { id: found.session.id, steppedUpAtMs: found.session.steppedUpAtMs }
  if (organisation === null) return { kind: 'operator', operatorId: accountId, session }
  if (role === 'operator') throw new Error('an operator belongs to no organisation')
  const owner = { kind: 'member', tenantId: organisation, memberId: accountId, role, session } as const
  const refused = await ports.activeTenants.refusal(organisation)
  return isRefused(refused) ? { ...refused, owner } : owner
}

/** An operator, while the session acts for an organisation. The organisation may be suspended: that may be why the operator looks. */
export const actingAs = async (
  ports: Ports,
  { operatorId, session }: Callers['operator'],
): Promise<Callers['member'] | null> => {
  const period = session === undefined ? null : await actingNow(ports, session.id)
  if (session === undefined || period?.operatorId !== operatorId) return null
  if (isRefused(await livingTenant(ports, period.organisation))) return null
  const role = period.mayChange ? 'admin' : 'viewer'
  const { organisation: tenantId } = period
  return { kind: 'member', tenantId, memberId: operatorId, role, session, isActing: true }
}

/** Whether a person who was identified for an organisation could be so now. */
export const isPersonGood = async (
  ports: Ports & Pick<ApiPorts, 'activeTenants'>,
  { tenantId, memberId, session, ...how }: Member,
): Promise<boolean> => {
  const known = await ports.actors.read(account.ref(memberId))
  const live = isRefused(known) ? [] : liveSessions(known, ports.runtime.now())
  if (isRefused(known) || session === undefined || !live.some(({ id }) => id === session.id)) return false
  if (how.isActing !== true)
    return known.organisation === tenantId && (await ports.activeTenants.refusal(tenantId)) === null
  const period = await actingNow(ports, session.id)
  return period?.organisation === tenantId && !isRefused(await livingTenant(ports, tenantId))
}
