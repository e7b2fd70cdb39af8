import { Kms, TypedArrayEncoder } from '@credo-ts/core'
import type { DidCommMessageHandlerMiddleware, DidCommRouting } from '@credo-ts/didcomm'
import {
  DidCommKeylistUpdate,
  DidCommKeylistUpdateAction,
  DidCommKeylistUpdateMessage,
  DidCommKeylistUpdateResponseMessage,
  DidCommKeylistUpdateResult,
  DidCommMediationRecord,
  DidCommMessageSender,
  DidCommOutboundMessageContext,
} from '@credo-ts/didcomm'
import type { AgentSteps } from '../agent/agent-steps.ts'
import type { WalletAgent } from '../agent/open-agent.ts'
import { storedRecord } from '../agent/record-storage.ts'
import { Kept } from '../rows/kept.ts'
import type { RowStore } from '../rows/row-store.ts'
import type { ReadyMediator } from './mediator.ts'
import { unavailable } from './mediator-door.ts'

type Parts = {
  readonly rows: RowStore
  readonly agent: WalletAgent
  readonly steps: AgentSteps
  readonly exchange: () => Promise<void>
}

type RouteRow = { readonly fingerprint: string; readonly keyId: string }

export type Route = {
  readonly routing: DidCommRouting
  /** Within the step that uses it. */
  readonly taken: () => void
}

/**
 * Keys under which the mediator takes messages. It must know the key before anybody writes to it. One that was registered
 * and not used, because the app was killed, is used for the next connection: a wallet has a thousand of them in its life.
 */
export class Routes {
  readonly #parts: Parts
  readonly #unused: Kept<RouteRow>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#unused = new Kept(parts.rows, 'route')
    parts.agent.didcomm.registerMessageHandlerMiddleware(onlyWhatWasTaken)
  }

  async next(mediator: ReadyMediator): Promise<Route> {
    if (this.#unused.allStored().length === 0) await this.#register(mediator)
    await this.#parts.exchange()
    const [route] = this.#unused.allStored()
    const mediation = storedRecord(this.#parts.rows, DidCommMediationRecord, mediator.mediation.id)
    if (route === undefined || mediation === null) throw unavailable('the mediator takes no key')
    const recipientKey = keyOf(route)
    if (!mediation.recipientKeys.includes(base58(recipientKey))) {
      await this.#parts.rows.step(async () => this.#unused.remove(route.id))
      throw unavailable('the mediator did not take the key of a new connection', 'key_not_taken')
    }
    const routing: DidCommRouting = {
      endpoints: mediation.endpoint === undefined ? [] : [mediation.endpoint],
      routingKeys: mediation.routingKeys.map((key) =>
        Kms.PublicJwk.fromPublicKey({
          kty: 'OKP',
          crv: 'Ed25519',
          publicKey: TypedArrayEncoder.fromBase58(key),
        }),
      ),
      recipientKey,
      mediatorId: mediation.id,
    }
    return { routing, taken: () => this.#unused.remove(route.id) }
  }

  async #register({ connection }: ReadyMediator): Promise<void> {
    const { agent, steps } = this.#parts
    const sender = agent.dependencyManager.resolve(DidCommMessageSender)
    await steps.run(async () => {
      const { recipientKey } = await agent.didcomm.mediationRecipient.getRouting({
        useDefaultMediator: false,
      })
      const update = new DidCommKeylistUpdate({
        action: DidCommKeylistUpdateAction.add,
        recipientKey: base58(recipientKey),
      })
      const message = new DidCommKeylistUpdateMessage({ updates: [update] })
      await sender.sendMessage(
        new DidCommOutboundMessageContext(message, { agentContext: agent.context, connection }),
      )
      this.#unused.add({ fingerprint: recipientKey.fingerprint, keyId: recipientKey.keyId })
    })
  }
}

const TAKEN: readonly string[] = [DidCommKeylistUpdateResult.Success, DidCommKeylistUpdateResult.NoChange]

/** Credo takes every key of the answer for registered, also where the mediator says that it is not. */
const onlyWhatWasTaken: DidCommMessageHandlerMiddleware = async ({ message }, next) => {
  if (message instanceof DidCommKeylistUpdateResponseMessage)
    message.updated = message.updated.filter(({ result }) => TAKEN.includes(result))
  await next()
}

type Ed25519 = DidCommRouting['recipientKey']

const base58 = (key: Ed25519): string => TypedArrayEncoder.toBase58(key.publicKey.publicKey)

const keyOf = ({ fingerprint, keyId }: RouteRow): Ed25519 => {
  const key = Kms.PublicJwk.fromFingerprint(fingerprint)
  key.keyId = keyId
  return key as Ed25519
}
