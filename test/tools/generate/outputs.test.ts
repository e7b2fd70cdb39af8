import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { outputs } from '../../../tools/generate/outputs.ts'

const root = new URL('../../../', import.meta.url)

describe('what is made from the code', () => {
  it.each(outputs.map((output) => [output.file, output] as const))(
    '%s says what the code says',
    (file, { render }) => {
      const now = readFileSync(new URL(file, root), 'utf8')
      expect(now, 'run `npm run generate`').toBe(render(now))
    },
  )
})
