import type { CredentialInput } from '../ports/anoncreds.ts'
import { isOutOfBounds } from '../domain/json-bounds.ts'
import { commonView } from './encoding.ts'
import { type Fields, fields, list, Malformed, optionalFields, text } from './presentation-shape.ts'
import { sameNames } from './requested.ts'

/**
 * Every check before an engine signs, whichever engine that is. Returns why nothing is signed, or null. No sentence
 * contains a name or a value.
 */
export const issueRefusal = ({ offer, request, values }: CredentialInput): string | null => {
  try {
    checkRequest(parsed(request, 'the request'), parsed(offer, 'the offer'))
    checkValues(values)
    return null
  } catch (error) {
    if (error instanceof Malformed) return error.message
    throw error
  }
}

const parsed = (json: string, what: string): Fields => {
  if (isOutOfBounds(json)) throw new Malformed(`${what} is nested too deeply, or has too many properties`)
  try {
    return fields(JSON.parse(json), what)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Malformed(`${what} is no JSON`)
    throw error
  }
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null

/** The library would sign for a request that names another definition, or its holder twice. */
const checkRequest = (request: Fields, offer: Fields): void => {
  if (request['cred_def_id'] !== text(offer['cred_def_id'], 'cred_def_id of the offer'))
    throw new Malformed('the request is for another definition')
  if (isGiven(request['entropy']) === isGiven(request['prover_did']))
    throw new Malformed('the request needs either entropy or prover_did')
  const blinded = fields(request['blinded_ms'], 'blinded_ms')
  sameNames(hiddenNames(blinded), ['master_secret'], 'blinded attributes')
  const committed = optionalFields(blinded['committed_attributes'] ?? undefined, 'committed_attributes')
  if (isGiven(blinded['ur']) || Object.keys(committed).length > 0)
    throw new Malformed('the request blinds more than the link secret')
}

const hiddenNames = (blinded: Fields): readonly string[] =>
  list(blinded['hidden_attributes'], 'hidden_attributes').map((name) => text(name, 'a blinded attribute'))

/** The library ends a text at NUL, fails on an ill-formed one, and takes one of two names that it reads alike. */
const checkValues = (values: Readonly<Record<string, unknown>>): void => {
  const names = new Set<string>()
  for (const [name, value] of Object.entries(values)) {
    if (!isWhole(name) || !isWhole(text(value, 'a value')))
      throw new Malformed('a name or value is no whole text')
    names.add(commonView(name))
  }
  if (names.size !== Object.keys(values).length) throw new Malformed('two names of attributes are read alike')
}

const isWhole = (value: string): boolean => !value.includes('\0') && value.isWellFormed()
