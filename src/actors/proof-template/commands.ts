import { TEMPLATE } from './kind.ts'
import { definitionNameOf } from '../../domain/ledger-names.ts'
import type {
  TemplateChanges,
  TemplateCommand,
  TemplateGroup,
  TemplatePredicate,
  TemplateRecord,
  TemplateReply,
} from './rules.ts'
import { isRefused, type Refused, refuse } from '../../domain/refused.ts'
import { kindOf, shardOf } from '../../domain/shards.ts'
import { newRecordId } from '../ids.ts'
import { readRecord } from '../read-record.ts'
import { readTenant } from '../tenant/read.ts'
import type { CataloguePorts, UseCasePorts } from '../command-ports.ts'

export type TemplateContent = Omit<TemplateCommand & { type: 'CreateProofTemplate' }, 'type' | 'atMs'>
export type KnownTemplate = { readonly id: string; readonly template: TemplateRecord }
type Known = KnownTemplate | Refused

/** Definitions may be named by catalogue id or ledger id; the template keeps ledger ids, which other issuers have too. */
export const createProofTemplate = async (
  ports: CataloguePorts,
  content: TemplateContent,
  id: string = newRecordId(TEMPLATE, ports.runtime),
): Promise<Known> => {
  const tenant = await readTenant(ports, content.tenant)
  if (isRefused(tenant)) return tenant
  const groups = await checkedGroups(ports, content.tenant, content)
  if (isRefused(groups)) return groups
  const atMs = ports.runtime.now()
  return ask(ports, id, `create:${id}`, { type: 'CreateProofTemplate', ...content, groups, atMs })
}

/** What is not named stays; the whole is checked as a new template is. */
export const editProofTemplate = async (
  ports: CataloguePorts,
  tenant: string,
  id: string,
  changes: TemplateChanges,
): Promise<Known> => {
  const template = await readRecord<TemplateRecord>(ports, tenant, TEMPLATE, id)
  if (template === null) return unknown()
  const groups = await checkedGroups(ports, tenant, { ...template, ...changes })
  if (isRefused(groups)) return groups
  const whole = changes.groups === undefined ? changes : { ...changes, groups }
  const command = { type: 'EditProofTemplate', atMs: ports.runtime.now(), tenant, changes: whole } as const
  return ask(ports, id, `edit:${ports.runtime.newId()}`, command)
}

export const archiveProofTemplate = async (
  ports: UseCasePorts,
  tenant: string,
  id: string,
): Promise<Known> => {
  if (shardOf(id) === null || kindOf(id) !== TEMPLATE) return unknown()
  const command = { type: 'ArchiveProofTemplate', atMs: ports.runtime.now(), tenant } as const
  return ask(ports, id, `archive:${id}`, command)
}

const unknown = (): Refused => refuse('proof_template_not_found', 'There is no proof template with this id.')

type Asked = { readonly groups: readonly TemplateGroup[]; readonly predicates: readonly TemplatePredicate[] }

/** With the ledger ids of published definitions that have what is asked for. */
const checkedGroups = async (
  ports: CataloguePorts,
  tenant: string,
  { groups, predicates }: Asked,
): Promise<readonly TemplateGroup[] | Refused> => {
  const checked: TemplateGroup[] = []
  for (const group of groups) {
    const compared = predicates.filter((each) => each.group === group.name).map(({ attribute }) => attribute)
    const ledgerIds: string[] = []
    for (const named of group.credentialDefinitionIds) {
      const found = await definitionOf(ports, tenant, named)
      if (found === null)
        return refuse(
          'credential_definition_not_found',
          `groups: ${named.slice(0, 300)} is no published credential definition.`,
        )
      const strange = [...group.attributes, ...compared].find((name) => found.lacks(name))
      if (strange !== undefined)
        return refuse(
          'invalid_request',
          `groups: ${group.name} asks for ${JSON.stringify(strange.slice(0, 100))}, which ${named.slice(0, 300)} does not have.`,
        )
      ledgerIds.push(found.ledgerId)
    }
    checked.push({ ...group, credentialDefinitionIds: ledgerIds })
  }
  return checked
}

type Definition = { readonly ledgerId: string; readonly lacks: (attribute: string) => boolean }

/** Of our own the attributes are known; another issuer's are what its ledger says when a proof is verified. */
const definitionOf = async (
  ports: CataloguePorts,
  tenant: string,
  named: string,
): Promise<Definition | null> => {
  const own = await ports.catalogue.definition(tenant, named)
  if (own === null) return definitionNameOf(named) === null ? null : { ledgerId: named, lacks: () => false }
  if (own.issuing === null) return null
  const { ledgerId, attributes } = own.issuing
  return { ledgerId, lacks: (attribute) => !attributes.includes(attribute) }
}

const ask = async (
  { actors, askTimeoutMs }: UseCasePorts,
  id: string,
  commandId: string,
  command: TemplateCommand,
): Promise<Known> => {
  const options = { commandId, timeoutMs: askTimeoutMs, tenant: null }
  const reply = await actors.ask<TemplateReply>(id, command, options)
  return 'template' in reply ? { id, template: reply.template } : reply
}
