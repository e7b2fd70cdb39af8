import { DidCommMediationRecord, DidCommMediationRole, DidCommMediationState } from '@credo-ts/didcomm'
import { DidCommMediationRepository } from '@credo-ts/didcomm'
import { expect, it } from 'vitest'
import { Routes } from '../../../sdk/core/mail/routes.ts'
import { connected, walletAgent } from '../wallet-agent.ts'

type Updated = { readonly recipient_key: string; readonly action: string; readonly result: string }

/** A mediator that answers each list of keys with the next of these results. */
const routesWith = async (results: string[]) => {
  const [mediator, wallet] = [await walletAgent(), await walletAgent()]
  const { walletSide } = await connected(mediator, wallet)
  const connection = await wallet.agent.didcomm.connections.getById(walletSide)
  const mediation = new DidCommMediationRecord({
    role: DidCommMediationRole.Recipient,
    state: DidCommMediationState.Granted,
    connectionId: connection.id,
    threadId: 'granted',
    endpoint: 'https://mediator.example',
    recipientKeys: [],
    routingKeys: [],
  })
  await wallet.rows.step(() =>
    wallet.agent.dependencyManager.resolve(DidCommMediationRepository).save(wallet.agent.context, mediation),
  )
  const registered: string[] = []
  const exchange = async (): Promise<void> => {
    const update = wallet.sent.shift()
    if (update === undefined) return
    const { message, answer } = await mediator.opened(update.payload)
    const updates = message['updates'] as readonly Updated[]
    registered.push(...updates.map(({ recipient_key }) => recipient_key))
    const result = results.shift() ?? 'success'
    await wallet.receive(
      await answer({
        '@type': 'https://didcomm.org/coordinate-mediation/1.0/keylist-update-response',
        '@id': crypto.randomUUID(),
        '~thread': { thid: message['@id'] },
        updated: updates.map((each) => ({ ...each, result })),
      }),
    )
    expect(wallet.dropped).toEqual([])
  }
  return {
    wallet,
    registered,
    mediator: { connection, mediation },
    routes: new Routes({ ...wallet, exchange }),
  }
}

it('a key that the mediator does not take is given up, and the next connection has another one', async () => {
  const { routes, mediator, registered } = await routesWith(['server_error', 'success'])
  await expect(routes.next(mediator)).rejects.toMatchObject({
    kind: 'MediatorUnavailable',
    code: 'key_not_taken',
  })
  const { routing } = await routes.next(mediator)
  expect(routing.endpoints).toEqual(['https://mediator.example'])
  expect(new Set(registered).size).toBe(2)
})

it('a key that the mediator has already is a good one', async () => {
  const { routes, mediator } = await routesWith(['no_change'])
  await expect(routes.next(mediator)).resolves.toBeDefined()
})
