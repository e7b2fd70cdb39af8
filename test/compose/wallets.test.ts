import { describe, expect, it } from 'vitest'
import { createRuntime } from '../../src/actors/runtime.ts'
import { lateActors } from '../../src/compose/late-actors.ts'
import { composeWallets } from '../../src/compose/wallets.ts'
import { Outbound } from '../../src/egress/outbound.ts'

const wallets = composeWallets({
  actors: lateActors(),
  runtime: createRuntime(),
  outbound: new Outbound({ allowPrivateTargets: false, socketsPerHostMax: 1 }),
  askTimeoutMs: 100,
  publicUrl: () => 'https://here.example',
})

describe('what wallets meet', () => {
  it('an invitation names the address under which it is answered', () => {
    const { publicKey } = wallets.newKey()
    const url = new URL(wallets.invitationUrl({ id: 'inv_00aaaaaaaa', label: 'Registry', key: publicKey }))
    expect(url.pathname).toBe('/i/inv_00aaaaaaaa')
    const message = JSON.parse(
      Buffer.from(url.searchParams.get('oob') ?? '', 'base64url').toString(),
    ) as object
    expect(message).toMatchObject({
      label: 'Registry',
      services: [{ serviceEndpoint: 'https://here.example/didcomm/inv_00aaaaaaaa' }],
    })
  })

  it('a message to nobody is refused, one to an actor that cannot be asked now is to come again', async () => {
    expect(await wallets.receive('nonsense', '{}')).toBe('refused')
    await expect(wallets.receive('con_00aaaaaaaa', '{}')).rejects.toMatchObject({ retryable: true })
  })
})
