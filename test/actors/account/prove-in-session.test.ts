import { afterAll, describe, expect, it } from 'vitest'
import { createTenant } from '../../../src/actors/tenant/commands.ts'
import { limits } from '../../../src/domain/limits.ts'
import { AskFailed } from '../../../src/ports/actors.ts'
import { proveInSession } from '../../../src/actors/account/prove-in-session.ts'
import { allowed, password } from './accounts-world.ts'
import { apiOnMemory } from '../../compose/api-on-memory.ts'
import { consolePeople, PAGE, type Person } from '../../compose/console-people.ts'

// Everybody of this world comes from one network address.
const at = await apiOnMemory()
const people = consolePeople(at)
const tenant = allowed(await createTenant(at.service.useCases, 'Registry')).id
afterAll(() => at.close())

const signIn = (emailAddress: string, given: string, headers: object = PAGE) =>
  at.send('POST', '/v1/sessions', {
    headers: { ...headers },
    body: { organisation: tenant, emailAddress, password: given },
  })
const stepUp = ({ headers }: Person, code: string) =>
  at.send('POST', '/v1/session/step-up', { headers, body: { code } })
const rightStepUp = async (person: Person) => (await stepUp(person, people.nextCode(person.seed))).status
const newPassword = 'a new long password'
const change = ({ headers }: Person, currentPassword: string) =>
  at.send('POST', '/v1/account/password', { headers, body: { currentPassword, newPassword } })

describe('what is proved again in a live session', () => {
  it('is judged while the place and the account are locked by others', async () => {
    const ann = await people.enrol(tenant, 'ann@example.org')
    for (let index = 0; index < 25; index++) await signIn('ann@example.org', 'wrong password')
    expect((await signIn('ann@example.org', password)).status).toBe(429)
    expect(await rightStepUp(ann)).toBe(200)
    expect((await change(ann, 'wrong password')).status).toBe(403)
    expect((await change(ann, password)).status).toBe(200)
    expect(await rightStepUp(ann)).toBe(200)
  })

  it('ends the session after ten failures, codes and passwords together, whatever succeeds between', async () => {
    const bob = await people.enrol(tenant, 'bob@example.org')
    const statuses: number[] = []
    for (let index = 0; index < 5; index++) {
      statuses.push((await stepUp(bob, '000000')).status, (await change(bob, 'wrong password')).status)
      if (index < 4) expect(await rightStepUp(bob)).toBe(200)
    }
    expect(statuses).toEqual([...Array.from({ length: 9 }, () => 403), 401])
    expect((await at.send('GET', '/v1/session', { headers: bob.headers })).status).toBe(401)
  })

  it('is judged ten times also when it is sent side by side', async () => {
    const cid = await people.enrol(tenant, 'cid@example.org')
    const answers = await Promise.all(Array.from({ length: 40 }, () => stepUp(cid, '000000')))
    const judged = answers.filter(({ status }) => status === 403)
    expect(judged.length).toBeLessThan(limits.sessionFailuresMax)
    expect((await at.send('GET', '/v1/session', { headers: cid.headers })).status).toBe(401)
  })

  it('is not counted where it was turned away before anything was looked at', async () => {
    const dan = await people.enrol(tenant, 'dan@example.org')
    const session = (await at.send('GET', '/v1/session', { headers: dan.headers })).json['session']
    const who = { accountId: dan.id, sessionId: (session as { id: string }).id }
    const { useCases, vault } = at.service
    const crowded = () => Promise.reject(new AskFailed('overloaded', 'a crowd', 1_000))
    const ports = { ...useCases, vault } as unknown as Parameters<typeof proveInSession>[0]
    for (let index = 0; index < 12; index++)
      await expect(proveInSession(ports, who, crowded)).rejects.toThrow('a crowd')
    expect(await rightStepUp(dan)).toBe(200)
  })
})

describe('a new password', () => {
  it('gives the browser that changed it a new cookie of a known device', async () => {
    // The place has forgotten what was tried above.
    at.service.runtime.forward(25 * 3_600_000)
    const eve = await people.enrol(tenant, 'eve@example.org')
    const { cookies } = await change(eve, password)
    expect(cookies).toEqual([expect.stringMatching(/^__Host-vouchsafe-device-acc_/)])
    for (let index = 0; index < 6; index++) await signIn('eve@example.org', 'wrong password')
    expect((await signIn('eve@example.org', newPassword)).status).toBe(429)
    const cookie = cookies[0]?.split(';')[0] ?? ''
    expect((await signIn('eve@example.org', newPassword, { ...PAGE, cookie })).status).toBe(200)
  })
})
