import { accountDecider } from './rules.ts'
import type { AccountCommand, AccountEvent, AccountReply, AccountState } from './state.ts'
import { type OldActorDefinition, defineActor } from '../../host/definition.ts'
import { OPERATORS } from '../../domain/operators.ts'
import { accountEvents, accountSnapshots } from './stored.ts'

export const ACCOUNT = 'acc'

export const accountActor = (): OldActorDefinition<
  AccountState,
  AccountCommand,
  AccountEvent,
  AccountReply
> =>
  defineActor({
    kind: ACCOUNT,
    decider: accountDecider,
    events: accountEvents,
    snapshots: accountSnapshots,
    snapshotEvery: 50,
    keyParent: (_actor, first) => {
      const organisation = first.type === 'InviteAccount' ? first.organisation : null
      return { tenant: organisation ?? OPERATORS, connection: null }
    },
    erased: ({ status }) => status === 'removed',
    perform: (effect) => Promise.reject(new Error(`an account owes nothing, also not ${effect.kind}`)),
    onTimer: (timerId) => {
      throw new Error(`an account has no timer ${timerId}`)
    },
  })
