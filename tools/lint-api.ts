// A step of npm run verify: what GET /openapi.json answers, under a strict linter and under rules of our own.
import { apiDocument } from './described-api.ts'
import { ownObjections } from './lint-api/own-rules.ts'
import { standardObjections } from './lint-api/standard-rules.ts'

const document = apiDocument()
const objections = [...(await standardObjections(document)), ...ownObjections(document)]
for (const objection of new Set(objections)) console.log(objection)
console.log(`${objections.length} objections to ${Object.keys(document.paths).length} paths`)
process.exitCode = objections.length === 0 ? 0 : 1
