import { limits } from '../../../src/domain/limits.ts'

const NAMED = ['name', 'n', 'n'.repeat(limits.attributeNameCharactersMax), 'expiresAt']

/** As many as a schema may have, with a name of one character and one as long as names may be. */
export const WIDE_ATTRIBUTES: readonly string[] = [
  ...NAMED,
  ...Array.from({ length: limits.attributesMax - NAMED.length }, (_, index) => `name${index}`),
]
