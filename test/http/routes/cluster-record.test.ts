import { describe, expect, it } from 'vitest'
import { nodeSchema, shardSchema } from '../../../src/http/routes/cluster-record.ts'
import { exampleOf } from '../../../src/http/openapi/example.ts'
import { compileSchema } from '../../../src/http/route/validation.ts'

describe('a node and a shard', () => {
  it('have examples that fit', () => {
    for (const schema of [nodeSchema, shardSchema])
      expect(compileSchema(schema, 'it')(exampleOf(schema))).toBeNull()
  })
})
