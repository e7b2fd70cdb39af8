import { isRefused } from '../../domain/decider.ts'
import type { AccountPorts } from '../account/ask-account.ts'
import { inviteAccount } from '../account/members.ts'
import { createApiKey } from '../api-key/commands.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { createTenant } from './commands.ts'
import { readTenant } from './read.ts'

/** One per installation, so that a second start finds it. */
export const DEVELOPMENT_TENANT = 'ten_00development'
const DEVELOPER = 'developer@localhost'

/** The first embedded start makes an organisation to try things out with; its key and the link are shown this once. */
export const ensureDevelopmentTenant = async (
  ports: Pick<ApiPorts, 'actors' | 'runtime' | 'identityOf' | 'tokenTags'>,
  people: AccountPorts,
): Promise<readonly string[]> => {
  if (!isRefused(await readTenant(ports, DEVELOPMENT_TENANT))) return []
  const created = await createTenant(ports, 'Development', DEVELOPMENT_TENANT)
  if (isRefused(created)) return []
  const key = await createApiKey(ports, { tenant: DEVELOPMENT_TENANT, label: 'first start' })
  if (isRefused(key)) return []
  const invited = await inviteAccount(people, DEVELOPMENT_TENANT, DEVELOPER, 'admin')
  if (isRefused(invited)) return []
  return [
    `An organisation to try things out with: ${DEVELOPMENT_TENANT}`,
    `Its API key, shown this once: ${key.key}`,
    `Its console, for ${DEVELOPER}, a link that works once: ${invited.link}`,
  ]
}
