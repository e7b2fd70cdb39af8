import { expect, it } from 'vitest'
import { codes } from '../../../src/domain/codes.ts'
import { errorMeanings } from '../../../src/http/route/error-meanings.ts'

it.each(Object.keys(codes) as (keyof typeof codes)[])('%s is explained in whole sentences', (code) => {
  const { when, reason, mend } = errorMeanings[code]
  for (const text of [when, reason, mend]) expect(text).toMatch(/\.$/)
})
