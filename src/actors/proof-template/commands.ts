import { definitionNameOf } from '../../domain/ledger-names.ts'
import { isRefused, refuse, type Refused } from '../../domain/decider.ts'
import { readPolicy } from '../biometric-policy/account.ts'
import { newRef } from '../ids.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { ownRecord } from '../own-record.ts'
import { readTenant } from '../tenant/read.ts'
import {
  noSuchTemplate,
  proofTemplate,
  type TemplateChanges,
  type TemplateCommand,
  type TemplateGroup,
  type TemplatePredicate,
  type TemplateRecord,
} from './rules.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'catalogue' | 'namespace'>

export type TemplateContent = Omit<TemplateCommand & { type: 'CreateProofTemplate' }, 'type' | 'atMs'>

/** Definitions may be named by catalogue id or ledger id; the template keeps ledger ids, which other issuers have too. */
export const createProofTemplate = async (
  ports: Ports,
  content: TemplateContent,
  id: string = newRef(proofTemplate, ports.runtime),
): Promise<{ readonly id: string; readonly template: TemplateRecord } | Refused> => {
  const tenant = await readTenant(ports, content.tenant)
  if (isRefused(tenant)) return tenant
  const groups = await checkedGroups(ports, content.tenant, content)
  if (isRefused(groups)) return groups
  if (content.biometricRequired === true && !(await hasVendor(ports, content.tenant))) return noVendor
  const command = { type: 'CreateProofTemplate', ...content, groups, atMs: ports.runtime.now() } as const
  const options = { commandId: `create:${id}`, tenant: null }
  const template = await ports.actors.ask(proofTemplate.ref(id), command, options)
  return isRefused(template) ? template : { id, template }
}

/** What is not named stays; all of it is checked as a new template is. */
export const editProofTemplate = async (
  ports: Ports,
  tenant: string,
  id: string,
  changes: TemplateChanges,
): Promise<TemplateRecord | Refused> => {
  const { actors, runtime } = ports
  const template = await ownRecord(ports, proofTemplate, tenant, id)
  if (template === null) return noSuchTemplate
  const groups = await checkedGroups(ports, tenant, { ...template, ...changes })
  if (isRefused(groups)) return groups
  if (changes.biometricRequired === true && !(await hasVendor(ports, tenant))) return noVendor
  const checked = changes.groups === undefined ? changes : { ...changes, groups }
  return actors.ask(
    proofTemplate.ref(id),
    { type: 'EditProofTemplate', atMs: runtime.now(), tenant, changes: checked },
    { commandId: `edit:${runtime.newId()}`, tenant: null },
  )
}

export const archiveProofTemplate = async (
  { actors, runtime }: Pick<Ports, 'actors' | 'runtime'>,
  tenant: string,
  id: string,
): Promise<TemplateRecord | Refused> => {
  const ref = proofTemplate.find(id)
  if (ref === null) return noSuchTemplate
  const command = { type: 'ArchiveProofTemplate', atMs: runtime.now(), tenant } as const
  return actors.ask(ref, command, { commandId: `archive:${id}`, tenant: null })
}

const noVendor = refuse(
  'biometric_vendor_missing',
  'biometricRequired needs a vendor of face checks, and none is set.',
)

const hasVendor = async (ports: Pick<Ports, 'actors'>, tenant: string): Promise<boolean> =>
  ((await readPolicy(ports, tenant))?.vendor ?? 'none') !== 'none'

type Asked = { readonly groups: readonly TemplateGroup[]; readonly predicates: readonly TemplatePredicate[] }

/** With the ledger ids of published definitions that have what is asked for. */
const checkedGroups = async (
  ports: Ports,
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

/**
 * The attributes of an organisation's own definitions are known here, so that a template which asks for another is
 * refused; those of another issuer's are read from the ledger only when a proof is verified.
 */
const definitionOf = async (ports: Ports, tenant: string, named: string): Promise<Definition | null> => {
  const own = await ports.catalogue.definition(tenant, named)
  if (own === null)
    return definitionNameOf(ports.namespace, named) === null ? null : { ledgerId: named, lacks: () => false }
  if (own.issuing === null) return null
  const { ledgerId, attributes } = own.issuing
  return { ledgerId, lacks: (attribute) => !attributes.includes(attribute) }
}
