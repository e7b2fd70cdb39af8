import type { PresentationInput } from '../../src/ports/anoncreds.ts'
import { partsOf } from './alterations.ts'

type Difference = { readonly path: string; readonly before: unknown; readonly after: unknown }

/** Every place at which two JSON values differ, as `/part/member/member`; `/` inside a name becomes `~`. */
export const differences = (before: unknown, after: unknown, path = ''): Difference[] => {
  if (Object.is(before, after)) return []
  const [left, right] = [membersOf(before), membersOf(after)]
  if (left === null || right === null || Array.isArray(before) !== Array.isArray(after))
    return [{ path, before, after }]
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) => {
    const here = `${path}/${key.replaceAll('/', '~')}`
    const [old, now] = [left.get(key), right.get(key)]
    return left.has(key) && right.has(key)
      ? differences(old, now, here)
      : [{ path: here, before: old, after: now }]
  })
}

const membersOf = (value: unknown): Map<string, unknown> | null =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)) : null

/** Where a change leaves a presentation as true as it was, and why. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/\/(?:rev_reg_id|timestamp|non_revoc_proof|non_revoked|revocation)$/, 'null and absent mean the same'],
  [
    /\/requested_proof\/(?:self_attested_attrs|unrevealed_attrs|revealed_attr_groups|predicates)$/,
    'empty and absent mean the same',
  ],
  [/^\/request\/requested_(?:attributes|predicates)$/, 'empty and absent mean the same'],
  [/^\/request\/(?:name|version|ver)$/, 'the request’s name and version are for people'],
  [
    /^\/request\/requested_(?:attributes|predicates)\/[^/]+\/restrictions(?:\/|$)/,
    'the altered restrictions are met as well',
  ],
  [
    /^\/request\/requested_(?:attributes|predicates)\/[^/]+\/(?:name|names\/\d+)$/,
    'the same attribute in another spelling or place',
  ],
  [/^\/schemas\/[^/]+\/(?:name|version|issuerId)$/, 'no restriction asks for it'],
  [/^\/schemas\/[^/]+\/attrNames\/\d+$/, 'the same attribute in another spelling or place'],
  [/^\/definitions\/[^/]+\/(?:tag|issuerId)$/, 'no part of the key, and no restriction asks for it'],
  [/^\/(?:definitions|schemas)\/[^/]+x$/, 'one more that the presentation does not name'],
  // What is repeated gets the old name and an x; in maps that would be one more attribute.
  [
    /\/(?!(?:r|m|u|t|values|\w*_attrs|\w*_groups|\w*_attributes|\w*predicates)\/)[^/]+\/[^/]+x$/,
    'a member that is not read',
  ],
  [/^\/(?:request|presentation)\/[^/]+x$/, 'a member that is not read'],
]

const reasonFor = ({ path, before, after }: Difference): string | null =>
  isSameNumber(before, after)
    ? 'the same number in another spelling'
    : (REASONS.find(([pattern]) => pattern.test(path))?.[1] ?? null)

/** Whatever a base is, its power with the exponent 0 is 1. */
const ZERO = 'the base of an attribute that is shown as 0'
const BASE = /^\/definitions\/([^/]+)\/value\/primary\/r\/([^/]+)$/

const isShownAsZero = ({ presentation }: PresentationInput, path: string): boolean => {
  const [, definition, attribute] = BASE.exec(path) ?? []
  if (definition === undefined || attribute === undefined) return false
  const { proof, identifiers } = JSON.parse(presentation) as Presentation
  const ofIt = proof.proofs.filter(
    (_, index) => identifiers[index]?.cred_def_id.replaceAll('/', '~') === definition,
  )
  return ofIt.every(
    ({ primary_proof: { eq_proof } }) => eq_proof.revealed_attrs[attribute.replaceAll('~', '/')] === '0',
  )
}

type Presentation = {
  readonly proof: {
    readonly proofs: readonly {
      readonly primary_proof: {
        readonly eq_proof: { readonly revealed_attrs: Readonly<Record<string, string>> }
      }
    }[]
  }
  readonly identifiers: readonly { readonly cred_def_id: string }[]
}

const isSameNumber = (before: unknown, after: unknown): boolean =>
  [before, after].every((text) => typeof text === 'string' && /^[+-]?\d+$/.test(text)) &&
  BigInt(String(before)) === BigInt(String(after))

/** Why it is right that an altered input is still accepted; null where no rule says so yet. */
export const whyHarmless = (honest: PresentationInput, input: PresentationInput): string[] | null => {
  const reasons = differences(partsOf(honest), partsOf(input)).map(
    (difference) => reasonFor(difference) ?? (isShownAsZero(input, difference.path) ? ZERO : null),
  )
  const known = reasons.filter((reason) => reason !== null)
  return known.length === reasons.length ? [...new Set(known)] : null
}
