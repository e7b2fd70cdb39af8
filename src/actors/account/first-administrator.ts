import { isRefused, type Refused, refuse } from '../../domain/decider.ts'
import { mayChange } from '../roster/rules.ts'
import { livingTenant } from '../tenant/read.ts'
import { type AccountPorts, readRoster } from './ask-account.ts'
import { inviteAccount, type InvitedMember } from './members.ts'

/**
 * An operator lets somebody into an organisation as long as nobody there could. From the first administrator who has
 * signed up on, its administrators do. An invitation that goes out at the moment in which another is taken up counts as
 * one from before: it is among the members that the administrator sees, and can remove.
 */
export const inviteFirstAdministrator = async (
  ports: AccountPorts,
  organisation: string,
  emailAddress: string,
  order: string,
): Promise<InvitedMember | Refused> => {
  // First, so that nothing is said of the people of one that is being deleted.
  const living = await livingTenant(ports, organisation)
  if (isRefused(living)) return living
  const entries = await readRoster(ports, organisation)
  // What this very order has made before its answer was lost is no refusal now, whoever has signed up since.
  const isMade = entries.some(({ account }) => account === order)
  if (!isMade && entries.some(mayChange))
    return refuse(
      'has_administrator',
      'The organisation has an administrator: from now on its administrators invite others.',
    )
  return inviteAccount(ports, organisation, emailAddress, 'admin', order)
}
