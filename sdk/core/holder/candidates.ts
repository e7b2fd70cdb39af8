import { WalletError } from '../wallet-error.ts'
import type { Credential } from './credentials.ts'
import type { Requested, Restriction } from './requested.ts'

/** For each thing that is asked for, the credentials that answer it: the usable ones first, then the newest. */
export type Candidates = Readonly<Record<string, readonly Credential[]>>

/** For each thing that is asked for, the id of the credential that is to answer it. */
export type Selection = Readonly<Record<string, string>>

export const candidatesFor = (
  requested: readonly Requested[],
  credentials: readonly Credential[],
): Candidates => {
  const usableFirst = [...credentials].sort((one, other) => Number(one.expired) - Number(other.expired))
  return Object.fromEntries(
    requested.map((each) => [each.referent, usableFirst.filter((credential) => answers(credential, each))]),
  )
}

/** One credential for all of a group where there is one, and never one that has expired. */
export const bestSelection = (requested: readonly Requested[], candidates: Candidates): Selection => {
  const selection: Record<string, string> = {}
  for (const { referent, group } of requested) {
    const usable = (candidates[referent] ?? []).filter(({ expired }) => !expired)
    const ofGroup = requested
      .filter((each) => each.group === group)
      .map((each) => candidates[each.referent] ?? [])
    const best =
      usable.find(({ id }) => ofGroup.every((each) => each.some((one) => one.id === id))) ?? usable[0]
    if (best === undefined) throw invalid(`no credential answers ${referent}`)
    selection[referent] = best.id
  }
  return selection
}

/** Throws where a selection is not whole, or names what does not answer. */
export const checkSelection = (
  requested: readonly Requested[],
  candidates: Candidates,
  selection: Selection,
): void => {
  for (const { referent } of requested) {
    const chosen = selection[referent]
    if (chosen === undefined) throw invalid(`nothing is chosen for ${referent}`)
    if (!candidates[referent]?.some(({ id }) => id === chosen))
      throw invalid(`the credential chosen for ${referent} does not answer it`)
  }
  const asked = new Set(requested.map(({ referent }) => referent))
  const more = Object.keys(selection).find((referent) => !asked.has(referent))
  if (more !== undefined) throw invalid(`nothing called ${more} is asked for`)
}

const invalid = (message: string): WalletError => new WalletError('InvalidSelection', message)

const answers = (credential: Credential, requested: Requested): boolean => {
  const { attributes } = credential
  const isFrom = ({ restrictions }: Requested): boolean =>
    restrictions.length === 0 || restrictions.some((each) => satisfies(credential, each))
  if (!isFrom(requested)) return false
  // A name may be any, also that of something that every object has.
  if (requested.kind === 'attributes') return requested.names.every((name) => Object.hasOwn(attributes, name))
  const value = Object.hasOwn(attributes, requested.name) ? attributes[requested.name] : undefined
  return value !== undefined && compares(value, requested)
}

/** A restriction of a kind that the wallet does not know is not satisfied. */
const satisfies = (credential: Credential, restriction: Restriction): boolean =>
  Object.entries(restriction).every(([name, wanted]) => factFor(name, credential) === ledgerId(wanted))

const factFor = (name: string, credential: Credential): string | undefined => {
  switch (name) {
    case 'cred_def_id':
      return credential.credentialDefinitionId
    case 'schema_id':
      return credential.schemaId
    case 'schema_name':
      return credential.schemaName
    case 'schema_version':
      return credential.schemaVersion
    case 'issuer_id':
    case 'issuer_did':
      return credential.issuerId
    default:
      return undefined
  }
}

/** Names of the ledger have a longer form, with the network in front. A wallet has one network. */
const LONG = /^did:indy:.+?:([^/:]+)(?:\/anoncreds\/v0\/(SCHEMA|CLAIM_DEF)\/(.+))?$/

const ledgerId = (id: string): string => {
  const [, issuer, kind, rest] = LONG.exec(id) ?? []
  if (issuer === undefined) return id
  if (kind === undefined || rest === undefined) return issuer
  const [first, ...others] = rest.split('/')
  const last = others.join('/')
  return kind === 'SCHEMA' ? `${issuer}:2:${first}:${last}` : `${issuer}:3:CL:${first}:${last}`
}

/** Whether a request calls things by their long names, as one does that says nothing else. */
export const isQualified = (requested: readonly Requested[]): boolean =>
  !requested.some(({ restrictions }) => restrictions.some(isShort))

const isShort = (restriction: Restriction): boolean =>
  Object.entries(restriction).some(([name, id]) => /_(?:id|did)$/.test(name) && ledgerId(id) === id)

const NUMBER = /^-?\d+$/
const [MIN, MAX] = [-(2 ** 31), 2 ** 31 - 1]

/** Only whole numbers of 32 bits are compared; anything else is signed as a hash. */
const compares = (text: string, { operator, value }: Requested & { kind: 'predicate' }): boolean => {
  const number = Number(text)
  if (!NUMBER.test(text) || number < MIN || number > MAX) return false
  switch (operator) {
    case '>':
      return number > value
    case '>=':
      return number >= value
    case '<':
      return number < value
    case '<=':
      return number <= value
  }
}
