import { expect, it } from 'vitest'
import { apiDocument } from '../../../tools/described-api.ts'
import { standardObjections } from '../../../tools/lint-api/standard-rules.ts'

it('the linter says where an example does not fit and where a tag is not declared', async () => {
  const document = JSON.parse(JSON.stringify(apiDocument())) as {
    paths: Record<string, { get?: { tags: string[]; responses: Record<string, { content: object }> } }>
  }
  const { get } = document.paths['/v1/health'] ?? {}
  if (get?.responses['200'] === undefined) throw new Error('no operation')
  get.tags = ['Elsewhere']
  Object.assign(get.responses['200'].content, {
    'application/json': { schema: { type: 'object', required: ['status'] }, example: {} },
  })
  const objections = await standardObjections(document)
  expect(objections.join('\n')).toMatch(/health\/get.*example/)
  expect(objections.join('\n')).toMatch(/health\/get.*tag/i)
})
