import type { Principal } from '../accounts.ts'
import { type Access, verdictOf, verdictOfStatements } from './evaluate.ts'
import type { PolicyDocument } from './policy-document.ts'

/** Why somebody may not do something, in AWS's words; null says that it is allowed. */
export const denialOf = (principal: Principal, access: Access): string | null => {
  const refuse = (reason: string): string => denial(principal, access, reason)
  const byIdentity = verdictOf(principal.policies, access)
  if (byIdentity === 'denied') return refuse('with an explicit deny in an identity-based policy')
  if (byIdentity !== 'allowed')
    return refuse(`because no identity-based policy allows the ${access.action} action`)
  if (principal.sessionPolicy === null) return null
  // What a session may do is what both its role and its own policy allow.
  const bySession = verdictOf([principal.sessionPolicy], access)
  if (bySession === 'denied') return refuse('with an explicit deny in a session policy')
  return bySession === 'allowed'
    ? null
    : refuse(`because no session policy allows the ${access.action} action`)
}

/** Of a role somebody may only know that it is not theirs, whether there is one or not. */
export const assumptionDenialOf = (
  principal: Principal,
  trust: PolicyDocument | null,
  access: Access,
): string | null => {
  const refusal = denial(principal, access)
  if (trust === null) return refusal
  const [byName, byAccount] = [
    [principal.arn],
    [principal.account, `arn:aws:iam::${principal.account}:root`],
  ].map((names) =>
    verdictOfStatements(
      trust.statements.filter(({ principals }) => principals.some((each) => names.includes(each))),
      access,
    ),
  )
  const own = denialOf(principal, access)
  const isForbidden = verdictOf(principal.policies, access) === 'denied'
  if (byName === 'denied' || byAccount === 'denied' || isForbidden) return refusal
  // A trust policy that names the user itself is enough within an account; one that names the account lets the account decide.
  const isSameAccount = access.resource.startsWith(`arn:aws:iam::${principal.account}:`)
  if (byName === 'allowed' && isSameAccount && principal.sessionPolicy === null) return null
  return (byName === 'allowed' || byAccount === 'allowed') && own === null ? null : refusal
}

function denial({ arn }: Principal, { action, resource }: Access, reason?: string): string {
  const what = resource === '*' ? action : `${action} on resource: ${resource}`
  return `User: ${arn} is not authorized to perform: ${what}${reason === undefined ? '' : ` ${reason}`}`
}
