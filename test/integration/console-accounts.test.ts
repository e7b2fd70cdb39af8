import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { expect, it, onTestFinished } from 'vitest'
import { ServiceProcess } from '../service-process.ts'

const PASSWORD = 'canary password of the developer'
const NAME = 'Canary Developer'

it('the first start makes a link; nothing that is secret along its way stands in a file or a log line', async () => {
  const service = new ServiceProcess()
  onTestFinished(async () => void (await service.stop()))
  const { url } = await service.untilListening()
  const invitation = /\/console\/invitation#(\S+)/.exec(service.shown)?.[1] ?? ''
  expect(invitation).toMatch(/^acc_00\w+\.[\w-]{59}$/)
  const send = async (method: string, path: string, body?: object, cookie = '') => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Canary Browser',
        origin: url,
        ...(cookie !== '' && { cookie }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const json = (await response.json()) as Record<string, unknown>
    return { status: response.status, json, cookie: response.headers.getSetCookie()[0]?.split(';')[0] ?? '' }
  }
  const begun = await send('POST', '/v1/enrolments', { invitation, name: NAME, password: PASSWORD })
  const seed = String(begun.json['totpSeed'])
  const authenticator = new TOTP({ secret: Secret.fromBase32(seed) })
  const enrolled = await send('POST', '/v1/enrolments/confirm', {
    invitation,
    code: authenticator.generate(),
  })
  expect(enrolled.status).toBe(201)
  const recoveryCodes = enrolled.json['recoveryCodes'] as readonly string[]
  const order = { organisation: 'ten_00development', emailAddress: 'developer@localhost', password: PASSWORD }
  const pass = String((await send('POST', '/v1/sessions', order)).json['signIn'])
  const recoveryCode = recoveryCodes[0]
  const second = await send('POST', '/v1/sessions/second-factor', { signIn: pass, recoveryCode })
  expect(second.status).toBe(201)
  await send('POST', '/v1/sessions', { ...order, password: 'canary wrong password' })
  const invited = { emailAddress: 'canary@example.org', role: 'viewer' }
  const member = await send('POST', '/v1/members', invited, second.cookie)
  expect(member.status).toBe(201)
  await expect
    .poll(async () => (await send('GET', '/v1/audit-log', undefined, second.cookie)).json['total'])
    .toBeGreaterThanOrEqual(4)
  expect((await send('DELETE', '/v1/session', undefined, second.cookie)).status).toBe(200)
  const { stdout } = await service.stop()

  const secretOf = (token: string) => token.slice(token.indexOf('.') + 1)
  const canaries = [
    PASSWORD,
    'canary wrong password',
    NAME,
    'developer@localhost',
    'canary@example.org',
    'Canary Browser',
    seed,
    secretOf(invitation),
    secretOf(String(member.json['invitationLink'])),
    secretOf(pass),
    secretOf(enrolled.cookie),
    secretOf(second.cookie),
    ...recoveryCodes,
    '$argon2id$',
  ]
  for (const file of filesOf(join(service.folder, 'data'))) {
    const bytes = readFileSync(file)
    for (const canary of canaries)
      expect([file, canary, bytes.includes(canary)]).toEqual([file, canary, false])
  }
  for (const canary of canaries) expect([canary, stdout.includes(canary)]).toEqual([canary, false])
})

const filesOf = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesOf(path) : [path]
  })
