import { type AuditEnd, auditedId } from '../actors/audit-entry/rules.ts'
import { isRefused } from '../domain/refused.ts'
import { type AccountPorts, isRealm } from '../actors/account/ask-account.ts'
import { audited } from '../actors/audit-entry/commands.ts'
import { readApiKey } from '../actors/api-key/commands.ts'
import type { UseCasePorts } from '../actors/command-ports.ts'
import type { Operate } from './operate.ts'

const READING = / (show|list)$/
const ID_CHARACTERS_MAX = 100

/** What the command line orders stands in the audit log too, in that of the organisation it concerns. */
export const auditedOrders =
  (ports: AccountPorts & UseCasePorts, operate: Operate): Operate =>
  (name, input) => {
    if (READING.test(name)) return operate(name, input)
    return concerned(ports, input).then((organisation) => {
      const facts = {
        organisation,
        initiator: 'command_line',
        initiatorId: null,
        action: name.slice(0, ID_CHARACTERS_MAX),
        targetId: auditedId(textOf(input, 'id')),
      } as const
      return audited(ports, facts, () => operate(name, input), endOf)
    })
  }

/** The organisation that an order names, or that has the key it names. */
const concerned = async (ports: UseCasePorts, input: unknown): Promise<string | null> => {
  const tenant = textOf(input, 'tenant')
  if (tenant !== null) return isRealm(tenant) ? tenant : null
  const apiKey = await readApiKey(ports, textOf(input, 'id') ?? '')
  return isRefused(apiKey) ? null : apiKey.tenant
}

const endOf = (answer: object): AuditEnd =>
  isRefused(answer)
    ? { outcome: 'refused', targetId: null }
    : { outcome: 'done', targetId: textOf(answer, 'id') }

const textOf = (value: unknown, field: string): string | null => {
  if (typeof value !== 'object' || value === null || !(field in value)) return null
  const found = (value as Readonly<Record<string, unknown>>)[field]
  return typeof found === 'string' && found.length <= ID_CHARACTERS_MAX ? found : null
}
