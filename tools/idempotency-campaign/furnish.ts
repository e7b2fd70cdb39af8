import { setTimeout as pause } from 'node:timers/promises'
import { Holder } from '../../sdk/wallet/holder.ts'
import { startReceiver } from '../demo/receiver.ts'
import type { ServicePlace } from '../flow-campaign/places.ts'
import { publishForFlows } from '../flow-campaign/publish.ts'
import { ServiceProcess } from '../flow-campaign/service-process.ts'
import { Tenant } from '../flow-campaign/tenant.ts'
import { freePort } from '../infra/ports.ts'
import { Caller } from './caller.ts'
import { type Command, commandsOf } from './commands.ts'

export type Furnished = {
  readonly service: ServiceProcess
  readonly caller: Caller
  readonly commands: readonly Command[]
  /** What stood in the journal before the campaign began. */
  readonly before: ReadonlySet<string>
  close(): Promise<void>
}

const LOOK_MS = 100

/** A service with an organisation, a definition, a template, and a connection to a phone that went away since. */
export const furnish = async (place: ServicePlace, isKilled: boolean): Promise<Furnished> => {
  const port = await freePort()
  const service = new ServiceProcess({ ...place.settings, ...settingsOf(port, isKilled) })
  const receiver = await startReceiver(() => undefined)
  service.start()
  await service.untilListening()
  const tenant = new Tenant(`http://127.0.0.1:${port}`, place.dataFolder)
  const { definitionId, templateId, network } = await publishForFlows(tenant, receiver)
  const invitation = await tenant.post('/v1/connections/invitations', {}, 'of the phone')
  const options = { label: 'Phone', databaseFile: ':memory:', host: '127.0.0.1', port: 0, verbose: false }
  const phone = await Holder.start({ ...options, ...network }, { offers: 'ignore', proofs: 'ignore' })
  await phone.connect(String(invitation['invitationUrl']))
  const connectionId = await completed(tenant)
  await phone[Symbol.asyncDispose]()
  // Its webhooks are the load of another campaign.
  await tenant.order('webhook remove', { tenant: tenant.id })
  receiver.close()
  const { key } = await tenant.order('key create', { tenant: tenant.id, label: 'idempotency' })
  const caller = new Caller(port, String(key))
  return {
    service,
    caller,
    commands: commandsOf({ connectionId, definitionId, templateId }),
    before: new Set([String(invitation['invitationId'])]),
    close: async () => {
      caller[Symbol.dispose]()
      await service.stop()
    },
  }
}

const completed = async (tenant: Tenant): Promise<string> => {
  for (;;) {
    const { items } = await tenant.get('/v1/connections?state=completed')
    const [first] = items as readonly { readonly id: string }[]
    if (first !== undefined) return first.id
    await pause(LOOK_MS)
  }
}

const settingsOf = (port: number, isKilled: boolean): Readonly<Record<string, string>> => ({
  PORT: String(port),
  VOUCHSAFE_PRIVATE_PORT: '0',
  VOUCHSAFE_LOG_LEVEL: 'silent',
  VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
  VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '1000000',
  // A run that died with the process counts as dead after four of these.
  ...(isKilled && { VOUCHSAFE_ASK_TIMEOUT_MS: '500' }),
})
