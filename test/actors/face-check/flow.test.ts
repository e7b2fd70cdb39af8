import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eventually } from '../../eventually.ts'
import { connectionId, credentialId, offer, proofId } from '../exchange-world.ts'
import { type CheckWorld, checkId, checkWorld, IMAGE } from './check-world.ts'
import { attempt, away } from './played-vendor.ts'

let at: CheckWorld
beforeEach(async () => {
  at = await checkWorld()
})
afterEach(() => at.close())

/** The wallet has a session, and has captured in it. */
const capture = async (): Promise<void> => {
  const before = at.heard().filter((name) => name === 'session').length
  await at.begin()
  await eventually(() => expect(at.heard().filter((name) => name === 'session')).toHaveLength(before + 1))
  await at.captured()
}

/** The wallet has gone away behind the message that opens the exchange, before it could be told of the check. */
const goesAwayBehind = async (opening: string, open: () => Promise<unknown>): Promise<void> => {
  at.world.afterSending = async (type) => {
    if (type.endsWith(`/${opening}`)) at.world.walletAway = true
  }
  await open()
  await eventually(() => expect(at.world.attempts['biometric-check/1.0/required']).toBe(1))
  expect(at.heard()).toEqual([opening])
}

const comesBack = (): Promise<void> => {
  at.world.afterSending = async () => undefined
  at.world.walletAway = false
  return eventually(() => {
    at.runtime.forward(1_000)
    expect(at.heard()).toContain('required')
  })
}

const status = async () => (await at.exchange()).faceCheck?.status

describe('a credential behind a face check', () => {
  it('is signed when the check is passed and not before, and the image is gone by then', async () => {
    await at.offer()
    await eventually(() => expect(at.heard()).toEqual(['offer-credential', 'required']))
    await at.request()
    expect(at.imagesKept()).toHaveLength(1)
    at.vendor.readings.push(attempt('passed', 96.5))
    await at.begin()
    await eventually(() => expect(at.heard().at(-1)).toBe('session'))
    expect(at.world.signatures).toBe(0)
    await at.captured()
    await eventually(async () => expect((await at.exchange()).status).toBe('credential-issued'))
    expect(await at.exchange()).toMatchObject({
      faceCheck: { status: 'passed', attempts: 1, attemptsRemaining: 2 },
      faceResult: { livenessScore: 97.123, matchScore: 96.5, reason: null },
    })
    expect(at.heard()).toEqual(['offer-credential', 'required', 'session', 'issue-credential'])
    await eventually(() => expect(at.imagesKept()).toEqual([]))
    expect(Buffer.from(at.vendor.images[0] ?? []).equals(IMAGE)).toBe(true)
    expect(at.vendor.accounts[0]).toEqual({
      settings: { region: 'eu-west-1' },
      credentials: { key: 'a key' },
    })
    expect(at.vendor.correlationIds[0]).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    )
  })

  it('tells its wallet of the check in a thread of the check’s own, and of a session what the vendor’s SDK needs', async () => {
    await at.offer()
    await at.begin()
    await eventually(() => expect(at.heard()).toContain('session'))
    await eventually(() => expect(at.heard()).toContain('required'))
    const told = (name: string) => at.sent.find(({ message }) => message.type.endsWith(`/${name}`))?.message
    expect(told('required')).toMatchObject({
      id: checkId,
      prefix: 'urn:vouchsafe:didcomm/',
      threadId: checkId,
      parentThreadId: credentialId,
      body: { vendor: 'aws_rekognition' },
    })
    expect(told('session')).toMatchObject({
      threadId: checkId,
      body: { session: { vendor: 'sandbox', sessionId: `${checkId}-1`, token: 'secret' } },
    })
    // What is told lives for minutes, and is nowhere in the journal.
    expect(JSON.stringify(at.journal.batches)).not.toContain('"secret"')
  })

  it('is told to its wallet, also where that was away for a moment and has accepted meanwhile', async () => {
    await goesAwayBehind('offer-credential', () => at.offer())
    await at.request()
    await at.crash()
    await comesBack()
    at.vendor.readings.push(attempt('passed', 99))
    await capture()
    await eventually(async () => expect((await at.exchange()).status).toBe('credential-issued'))
    expect(at.heard().filter((name) => name === 'required')).toHaveLength(1)
    expect(at.heard().filter((name) => name === 'offer-credential')).toHaveLength(1)
  })

  it('may be passed at the second attempt; of the first the wallet learns that it may try again', async () => {
    await at.offer()
    await at.request()
    at.vendor.readings.push(attempt('another-person', 12.5))
    await capture()
    await eventually(() => expect(at.heard()).toContain('again'))
    expect(await at.exchange()).toMatchObject({
      faceCheck: { status: 'pending', attempts: 1, attemptsRemaining: 2 },
      faceResult: { matchScore: 12.5, reason: 'The face does not match the reference image.' },
    })
    const again = at.sent.find(({ message }) => message.type.endsWith('/again'))
    expect(Object.keys(again?.message.body ?? {}).toSorted()).toEqual(['@id', '@type', '~thread'])
    at.vendor.readings.push(attempt('passed', 95))
    await capture()
    await eventually(async () => expect((await at.exchange()).status).toBe('credential-issued'))
    expect(await at.exchange()).toMatchObject({ faceCheck: { attempts: 2, attemptsRemaining: 1 } })
    expect(at.world.signatures).toBe(1)
  })

  it('is held when no attempt is left, until the organisation cancels', async () => {
    await at.setPolicy({ attemptsMax: 1 })
    await at.offer()
    await at.request()
    at.vendor.readings.push(attempt('not-live'))
    await capture()
    await eventually(() => expect(at.heard()).toContain('over'))
    expect(await at.exchange()).toMatchObject({
      status: 'request-received',
      faceCheck: { status: 'failed', attemptsRemaining: 0 },
    })
    await eventually(() => expect(at.imagesKept()).toEqual([]))
    await at.cancel()
    expect(await at.exchange()).toMatchObject({ status: 'abandoned', faceCheck: { status: 'failed' } })
    expect(at.world.signatures).toBe(0)
  })

  it('is held for a day and no longer when no attempt is left', async () => {
    await at.setPolicy({ attemptsMax: 1 })
    await at.offer()
    await at.request()
    at.vendor.readings.push(attempt('not-live'))
    await capture()
    await eventually(async () => expect((await at.exchange()).faceCheck?.status).toBe('failed'))
    at.runtime.forward(23 * 3_600_000)
    expect(await at.exchange()).toMatchObject({ status: 'request-received' })
    at.runtime.forward(3_600_000)
    await eventually(async () => expect((await at.exchange()).status).toBe('abandoned'))
    expect(await at.exchange()).toMatchObject({ faceCheck: { status: 'failed' } })
    expect(at.world.signatures).toBe(0)
  })

  it('is abandoned with the end of the window, to the millisecond', async () => {
    await at.offer()
    await at.request()
    at.runtime.forward(30 * 60_000)
    await eventually(async () => expect((await at.exchange()).status).toBe('abandoned'))
    expect(await at.exchange()).toMatchObject({
      errorMessage: expect.stringMatching(/within its time/) as string,
      faceCheck: { status: 'expired' },
    })
    await eventually(() => expect(at.imagesKept()).toEqual([]))
    await eventually(() => expect(at.heard()).toContain('problem-report'))
    expect(at.world.signatures).toBe(0)
  })

  it('that is cancelled ends its check, which ends its session at the vendor and has no image any more', async () => {
    await at.offer()
    await at.request()
    await at.begin()
    await eventually(() => expect(at.heard()).toContain('session'))
    await at.cancel()
    expect(await at.exchange()).toMatchObject({ status: 'abandoned', faceCheck: { status: 'cancelled' } })
    await eventually(() => expect(at.vendor.calls).toContain('end 1'))
    await eventually(() => expect(at.imagesKept()).toEqual([]))
    at.vendor.readings.push(attempt('passed', 99))
    expect(await at.captured()).toMatchObject({ refused: 'message_late' })
    expect(at.world.signatures).toBe(0)
  })

  it('that its holder declines ends its check as well', async () => {
    await at.offer()
    await at.begin()
    await eventually(() => expect(at.heard()).toContain('session'))
    const no = {
      type: 'ReceiveCredentialProblem',
      code: 'issuance-abandoned',
      text: 'No',
      prefix: 'https://didcomm.org/',
    }
    await at.ask(credentialId, { ...no, atMs: at.runtime.now(), from: connectionId })
    expect(await at.exchange()).toMatchObject({ status: 'declined', faceCheck: { status: 'cancelled' } })
    await eventually(() => expect([at.imagesKept(), at.vendor.calls.at(-1)]).toEqual([[], 'end 1']))
  })

  it('whose wallet does not do face checks is abandoned, and says so', async () => {
    await at.offer()
    await at.giveUp()
    await eventually(async () => expect((await at.exchange()).status).toBe('abandoned'))
    expect(await at.exchange()).toMatchObject({ errorMessage: 'The wallet did not do the face check.' })
    await eventually(() => expect(at.imagesKept()).toEqual([]))
  })

  it('whose reference image nobody can pass with fails before anybody has tried', async () => {
    at.vendor.begins.push({ kind: 'image-unfit', why: 'several-faces' })
    await at.offer()
    await at.begin()
    await eventually(async () => expect(await status()).toBe('failed'))
    expect(await at.exchange()).toMatchObject({
      faceCheck: { attempts: 0, attemptsRemaining: 0 },
      faceResult: { reason: 'The vendor finds several faces in the reference image.' },
    })
    expect(at.heard()).not.toContain('session')
  })

  it('costs no attempt while the vendor is away or loses what it had', async () => {
    at.vendor.begins.push(away, away)
    await at.offer()
    await at.request()
    await at.begin()
    await eventually(() => expect(at.vendor.calls).toEqual(['begin 1']))
    at.runtime.forward(5_000)
    await eventually(() => expect(at.vendor.calls).toEqual(['begin 1', 'begin 1']))
    at.runtime.forward(5_000)
    await eventually(() => expect(at.heard()).toContain('session'))
    at.vendor.readings.push(away, { kind: 'lost' })
    await at.captured()
    await eventually(() => expect(at.vendor.calls.at(-1)).toBe('read'))
    at.runtime.forward(5_000)
    await eventually(() => expect(at.heard()).toContain('again'))
    expect(await at.exchange()).toMatchObject({ faceCheck: { status: 'pending', attempts: 0 } })
  })

  it('counts nothing twice where the vendor gives out a session again that it has given before', async () => {
    await at.offer()
    await at.request()
    at.vendor.readings.push(attempt('another-person', 12))
    await capture()
    await eventually(() => expect(at.heard()).toContain('again'))
    const sessionId = `${checkId}-1`
    const replayed = {
      kind: 'begun',
      sessionId,
      device: { vendor: 'sandbox', sessionId, token: 'x' },
    } as const
    at.vendor.begins.push(replayed, replayed)
    at.vendor.readings.push(attempt('another-person', 12))
    await at.begin()
    await eventually(() => expect(at.vendor.calls.filter((call) => call === 'begin 2')).toHaveLength(1))
    expect(at.heard().filter((name) => name === 'session')).toHaveLength(1)
    expect(await at.captured()).toMatchObject({ attempts: 1 })
    await eventually(() => {
      at.runtime.forward(1_000)
      expect(at.heard().filter((name) => name === 'session')).toHaveLength(2)
    })
    expect(await at.exchange()).toMatchObject({ faceCheck: { status: 'pending', attempts: 1 } })
  })

  it('asks for another session where it is not known for long whether one was begun', async () => {
    at.vendor.begins.push(away)
    await at.offer()
    await at.begin()
    await eventually(() => expect(at.vendor.calls).toEqual(['begin 1']))
    at.runtime.forward(90_000)
    await eventually(() => expect(at.vendor.calls).toEqual(['begin 1', 'begin 2']))
  })

  it('reads a session of which the wallet says nothing', async () => {
    await at.offer()
    await at.request()
    await at.begin()
    await eventually(() => expect(at.heard()).toContain('session'))
    at.vendor.readings.push(attempt('not-live'))
    at.runtime.forward(171_000)
    await eventually(async () => expect((await at.exchange()).faceCheck?.attempts).toBe(1))
  })

  it('costs its organisation no more where the wallet asks a thousand times, or says what it has not done', async () => {
    await at.offer()
    await at.request()
    await Promise.allSettled(Array.from({ length: 1_000 }, () => at.begin()))
    await eventually(() => expect(at.heard()).toContain('session'))
    await Promise.allSettled(Array.from({ length: 1_000 }, () => at.begin()))
    await Promise.allSettled(Array.from({ length: 1_000 }, () => at.captured()))
    await eventually(() => expect(at.vendor.calls).toContain('read'))
    expect(at.vendor.calls.filter((call) => call.startsWith('begin'))).toEqual(['begin 1'])
    expect(at.vendor.calls.length).toBeLessThan(10)
    expect(at.journal.eventsOf(checkId).length).toBeLessThan(10)
    expect(await at.exchange()).toMatchObject({ faceCheck: { status: 'pending', attempts: 0 } })
    expect(at.world.signatures).toBe(0)
    // Neither over another connection nor for a check that there is not.
    const stranger = { atMs: at.runtime.now(), from: 'con_00bbbbbbbb', prefix: 'urn:vouchsafe:didcomm/' }
    expect(await at.ask(checkId, { type: 'ReceiveCaptured', ...stranger })).toMatchObject({
      refused: 'not_found',
    })
    expect(await at.ask('fck_00bbbbbbbb', { type: 'ReceiveBegin', ...stranger })).toMatchObject({
      refused: 'not_found',
    })
  })

  it('begins once more where the first request left an image behind, and keeps one', async () => {
    const first = await at.offer()
    await at.begin()
    const again = await at.offer()
    expect(again).toMatchObject({ threadId: credentialId, faceCheck: { id: checkId } })
    expect(first).toMatchObject({ threadId: credentialId })
    expect(at.imagesKept()).toHaveLength(1)
    await at.cancel()
    await eventually(async () => expect(await at.check()).toBeNull())
    expect(await at.offer()).toMatchObject({ status: 'abandoned' })
    expect(await at.check()).toBeNull()
    expect(at.imagesKept()).toEqual([])
  })

  it('goes on after each crash, and counts what came of a session once', async () => {
    await at.offer()
    await at.request()
    await at.crash()
    await at.begin()
    await eventually(() => expect(at.heard()).toContain('session'))
    await at.crash()
    at.vendor.readings.push(attempt('passed', 93))
    await at.captured()
    await at.crash()
    await eventually(async () => expect(await status()).toBe('passed'))
    await at.crash()
    await eventually(async () => expect((await at.exchange()).status).toBe('credential-issued'))
    expect(await at.exchange()).toMatchObject({ faceCheck: { attempts: 1 } })
    expect(at.world.signatures).toBeLessThanOrEqual(2)
  })

  it('is refused without an image, with one that is none, and where there is no room for another', async () => {
    expect(await at.offer(null)).toMatchObject({ refused: 'biometric_reference_required' })
    expect(await at.offer(IMAGE.subarray(0, 300))).toMatchObject({ refused: 'reference_image_invalid' })
    at.imageRoom.take({
      checkId: 'fck_00other',
      exchangeId: 'cre_00other',
      tenant: 'other',
      bytes: 37_500_000,
      untilMs: at.runtime.now() + 60_000,
    })
    at.imageRoom.take({
      checkId: 'fck_00third',
      exchangeId: 'cre_00third',
      tenant: 'third',
      bytes: 37_500_000,
      untilMs: at.runtime.now() + 60_000,
    })
    await expect(at.offer()).rejects.toMatchObject({ code: 'overloaded' })
    at.runtime.forward(60_000)
    expect(await at.offer()).toMatchObject({ status: 'offer-sent' })
  })

  it('keeps the account that its check began with, and takes a newer key of the same account', async () => {
    await at.offer()
    await at.setPolicy({}, { key: 'a newer key' })
    await at.begin()
    await eventually(() => expect(at.vendor.accounts.at(-1)?.credentials).toEqual({ key: 'a newer key' }))
    await at.setPolicy({ settings: { region: 'us-east-1' } }, { key: 'of another account' })
    at.vendor.readings.push(attempt('not-live'))
    await eventually(() => expect(at.heard()).toContain('session'))
    await at.captured()
    await eventually(() => expect(at.heard()).toContain('again'))
    await at.begin()
    await eventually(() =>
      expect(at.vendor.accounts.at(-1)).toEqual({
        settings: { region: 'eu-west-1' },
        credentials: { key: 'a key' },
      }),
    )
  })
})

describe('a proof behind a face check', () => {
  it('is shown when the check is passed and not before', async () => {
    await at.askForProof()
    await eventually(() => expect(at.heard()).toEqual(['request-presentation', 'required']))
    await at.present()
    await eventually(async () => expect(await at.proved()).toMatchObject({ presentation: null }))
    const waiting = await at.proved()
    expect(waiting).toMatchObject({ status: 'presentation-received', faceCheck: { status: 'pending' } })
    expect('verified' in waiting).toBe(false)
    at.vendor.readings.push(attempt('passed', 99))
    await capture()
    await eventually(async () => expect((await at.proved()).status).toBe('done'))
    expect(at.heard().at(-1)).toBe('ack')
    expect([...at.bodies.kept.keys()].filter((name) => name.startsWith(proofId))).toEqual([])
  })

  it('is told to its wallet, also where that was away for a moment and has presented meanwhile', async () => {
    await goesAwayBehind('request-presentation', () => at.askForProof())
    await at.present()
    await comesBack()
    await eventually(async () => expect(await at.proved()).toMatchObject({ presentation: null }))
    at.vendor.readings.push(attempt('passed', 99))
    await capture()
    await eventually(async () => expect((await at.proved()).status).toBe('done'))
    expect(at.heard().filter((name) => name === 'required')).toHaveLength(1)
  })

  it('finds room where the images of others have left on another node', async () => {
    await offer(at)
    const full = { bytes: 37_500_000, untilMs: at.runtime.now() + 3_600_000 }
    at.imageRoom.take({ ...full, checkId: 'fck_00other', exchangeId: credentialId, tenant: 'other' })
    at.imageRoom.take({ ...full, checkId: 'fck_00third', exchangeId: 'cre_00third', tenant: 'third' })
    await expect(at.askForProof()).rejects.toMatchObject({ code: 'overloaded' })
    at.runtime.forward(60_000)
    expect(await at.askForProof()).toMatchObject({ status: 'request-sent' })
    expect(at.imageRoom.bytes).toBeLessThan(51_000_000)
    expect(at.imageRoom.bytes).toBeGreaterThan(50_000_000)
  })

  it('whose check is not passed has its result deleted unseen', async () => {
    await at.askForProof()
    await at.present()
    await eventually(async () => expect(await at.proved()).toMatchObject({ presentation: null }))
    await at.cancel(proofId)
    expect(await at.proved()).toMatchObject({ status: 'abandoned', faceCheck: { status: 'cancelled' } })
    await eventually(() => expect([...at.bodies.kept.keys()]).toEqual([]))
    expect(await at.proved()).not.toHaveProperty('verified')
  })

  it('that is erased with its connection ends its check, and leaves nothing', async () => {
    await at.askForProof()
    await at.present()
    const erasure = { type: 'EraseRecord', tenant: 'ten_00aaaaaaaa', by: 'api_key', withConnection: true }
    await at.ask(proofId, { ...erasure, atMs: at.runtime.now() })
    expect(await at.proved()).toMatchObject({ status: 'abandoned', faceCheck: { status: 'cancelled' } })
    await eventually(() => expect([...at.bodies.kept.keys()]).toEqual([]))
  })

  it('is over when its holder hangs up', async () => {
    await at.askForProof()
    await at.present()
    const hangup = { type: 'CancelExchange', atMs: at.runtime.now(), tenant: 'ten_00aaaaaaaa', by: 'holder' }
    await at.ask(proofId, hangup)
    expect(await at.proved()).toMatchObject({ status: 'abandoned', connectionId })
  })
})
