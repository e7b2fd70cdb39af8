import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { signatureOf } from '../../src/webhooks/signature.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const run = promisify(execFile)
const page = readFileSync(new URL('../../docs/tenants/webhooks.md', import.meta.url), 'utf8')
const codeOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''
const folder = temporaryFolder('vouchsafe-receivers')

const nowSeconds = 1_800_000_000
const body = '{"id":"evt_1","name":"Zoë"}'
const signed = (secrets: readonly string[], seconds = nowSeconds) =>
  signatureOf(body, secrets, seconds * 1_000)

/** Header, and whether a receiver that knows `svc_whsec_a` takes it. */
const cases: readonly (readonly [string, boolean])[] = [
  [signed(['svc_whsec_a']), true],
  [signed(['svc_whsec_new', 'svc_whsec_a']), true],
  [signed(['svc_whsec_a', 'svc_whsec_old']), true],
  [signed(['svc_whsec_b']), false],
  [signed(['svc_whsec_a'], nowSeconds - 300), true],
  [signed(['svc_whsec_a'], nowSeconds - 301), false],
  [signed(['svc_whsec_a'], nowSeconds + 301), false],
  [signed(['svc_whsec_a']).replace('t=1', 't=2'), false],
  [`t=${nowSeconds}`, false],
  [`t=${nowSeconds},v1=`, false],
  [`t=${nowSeconds},v1=zz`, false],
  ['v1=00', false],
  ['t=x,v1=00', false],
  ['', false],
]
const expected = cases.map(([, genuine]) => genuine)
const given = JSON.stringify({ headers: cases.map(([header]) => header), body, nowSeconds })

it('the receiver in JavaScript takes what the service signs, and nothing else', async () => {
  const module = join(folder, 'receiver.mjs')
  writeFileSync(module, codeOf('js'))
  const { isGenuine } = (await import(module)) as {
    readonly isGenuine: (header: string, body: string, secret: string, now: number) => boolean
  }
  expect(cases.map(([header]) => isGenuine(header, body, 'svc_whsec_a', nowSeconds))).toEqual(expected)
})

it('the receiver in Python does so too', async () => {
  const program = `${codeOf('python')}
import json, sys
given = json.loads(sys.argv[1])
print(json.dumps([is_genuine(header, given["body"].encode(), "svc_whsec_a", given["nowSeconds"]) for header in given["headers"]]))
`
  const { stdout } = await run('python3', ['-c', program, given])
  expect(JSON.parse(stdout)).toEqual(expected)
})
