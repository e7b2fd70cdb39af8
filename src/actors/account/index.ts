import { OPERATORS } from '../../domain/operators.ts'
import { defineKind } from '../define-kind.ts'
import { authenticatorRoutes } from './authenticator-routes.ts'
import { firstAdministratorRoute } from './first-administrator-route.ts'
import { memberRoutes } from './members-routes.ts'
import { ownAccountRoutes } from './own-account-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { accountDecider } from './rules.ts'
import { enrolmentRoutes, signInRoutes } from './sign-in-routes.ts'
import { account, type AccountCommand, type AccountTypes, type Pass } from './state.ts'
import { stepUpRoutes } from './step-up-routes.ts'
import { accountEvents, accountSnapshots } from './stored.ts'

/** A pass that one node gives is shown at another: it is over by the clock of the node that has the account. */
const byOwnClock = (command: AccountCommand, atMs: number): AccountCommand => {
  const moved = ({ hash, expiresAtMs }: Pass): Pass => ({
    hash,
    expiresAtMs: expiresAtMs + atMs - command.atMs,
  })
  switch (command.type) {
    case 'OpenSignIn':
      return { ...command, atMs, signIn: moved(command.signIn) }
    case 'InviteAccount':
    case 'RenewInvitation':
      return { ...command, atMs, invitation: moved(command.invitation) }
    case 'StepUp':
    case 'StepUpByPasskey':
    case 'ExchangeAuthenticator':
      // It holds for minutes, and is looked at by the clock of the node that is asked: at that node it is fresh.
      return command
    default:
      return { ...command, atMs }
  }
}

export const accountKind = defineKind<AccountTypes>({
  references: account,
  isCopied: true,
  decider: accountDecider,
  events: accountEvents,
  snapshots: accountSnapshots,
  keyParent: (_actor, first) => {
    const organisation = first.type === 'InviteAccount' ? first.organisation : null
    return { tenant: organisation ?? OPERATORS, connection: null }
  },
  erased: ({ status }) => status === 'removed',
  dated: byOwnClock,
  routes: (ports) => [
    ...enrolmentRoutes(ports),
    ...signInRoutes(ports),
    ...stepUpRoutes(ports),
    ...ownAccountRoutes(ports),
    ...authenticatorRoutes(ports),
    ...passkeyRoutes(ports),
    ...memberRoutes(ports),
    firstAdministratorRoute(ports),
  ],
})
