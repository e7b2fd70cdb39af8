import { isRefused } from '../domain/exchanges/change.ts'
import { createApiKey } from '../use-cases/api-keys.ts'
import { type CreateTenantPorts, createTenant } from '../use-cases/create-tenant.ts'
import { readTenant } from '../use-cases/read-tenant.ts'

/** One per installation, so that a second start finds it. */
const DEVELOPMENT = 'ten_00development'

/** The first embedded start makes an organisation to try things out with; its key is shown this once. */
export const ensureDevelopmentTenant = async (ports: CreateTenantPorts): Promise<readonly string[]> => {
  if (!isRefused(await readTenant(ports, DEVELOPMENT))) return []
  const created = await createTenant(ports, 'Development', DEVELOPMENT)
  if (isRefused(created)) return []
  const key = await createApiKey(ports, DEVELOPMENT, 'first start')
  if (isRefused(key)) return []
  return [
    `An organisation to try things out with: ${DEVELOPMENT}`,
    `Its API key, shown this once: ${key.key}`,
  ]
}
