import {
  type DidCommConnectionDidRotatedEvent,
  DidCommConnectionEventTypes,
  DidCommTrustPingEventTypes,
} from '@credo-ts/didcomm'
import type { Wallet } from './create-wallet.ts'

/** Calls `take` with every answer to a ping of the wallet's. */
export const onPingAnswer = ({ agent }: Wallet, take: () => void): void => {
  agent.events.on(DidCommTrustPingEventTypes.DidCommTrustPingResponseReceivedEvent, take)
}

/** Calls `take` with the new DID of the wallet, once the other side knows it. */
export const onDidRotated = ({ agent }: Wallet, take: (did: string) => void): void => {
  agent.events.on<DidCommConnectionDidRotatedEvent>(
    DidCommConnectionEventTypes.DidCommConnectionDidRotated,
    ({ payload: { ourDid } }) => {
      if (ourDid !== undefined) take(ourDid.to)
    },
  )
}
