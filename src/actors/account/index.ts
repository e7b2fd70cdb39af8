import { OPERATORS } from '../../domain/operators.ts'
import { defineKind } from '../define-kind.ts'
import { memberRoutes } from './members-routes.ts'
import { ownAccountRoutes } from './own-account-routes.ts'
import { passkeyRoutes } from './passkey-routes.ts'
import { accountDecider } from './rules.ts'
import { enrolmentRoutes, signInRoutes } from './sign-in-routes.ts'
import { account, type AccountTypes } from './state.ts'
import { accountEvents, accountSnapshots } from './stored.ts'

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
  routes: (ports) => [
    ...enrolmentRoutes(ports),
    ...signInRoutes(ports),
    ...ownAccountRoutes(ports),
    ...passkeyRoutes(ports),
    ...memberRoutes(ports),
  ],
})
