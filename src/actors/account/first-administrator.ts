import { isRefused, type Refused, refuse } from '../../domain/decider.ts'
import { mayChange } from '../roster/rules.ts'
import { livingTenant } from '../tenant/read.ts'
import { type AccountPorts, readRoster } from './ask-account.ts'
import { inviteAccount, type InvitedMember } from './members.ts'

/**
 * An operator invites an administrator of an organisation until the first administrator has signed up; after that the
 * organisation's administrators invite others. An invitation that an operator makes while an earlier invitation is being
 * taken up is allowed: the administrator sees the invited person among the members, and can remove that person.
 */
export const inviteFirstAdministrator = async (
  ports: AccountPorts,
  organisation: string,
  emailAddress: string,
  order: string,
): Promise<InvitedMember | Refused> => {
  // Asked first, so that nothing is said of the people of an organisation that is being deleted.
  const living = await livingTenant(ports, organisation)
  if (isRefused(living)) return living
  const entries = await readRoster(ports, organisation)
  // An order is repeated when its answer was lost: the invitation that the order had made is answered again, although an
  // administrator may have signed up since.
  const isMade = entries.some(({ account }) => account === order)
  if (!isMade && entries.some(mayChange))
    return refuse(
      'has_administrator',
      'The organisation has an administrator: from now on its administrators invite others.',
    )
  return inviteAccount(ports, organisation, emailAddress, 'admin', order)
}
