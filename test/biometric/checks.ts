import { randomUUID } from 'node:crypto'
import { onTestFinished } from 'vitest'
import { referenceImageOf } from '../../src/biometric/reference-image.ts'
import { isRefused } from '../../src/domain/decider.ts'
import { Outbound } from '../../src/egress/outbound.ts'
import type { FaceVendor, Reading, ReferenceImage, VendorAccount } from '../../src/ports/face-vendor.ts'
import { type Portrait, portrait } from '../../tools/vendors/people/portrait.ts'

export const signal = new AbortController().signal

/** The way out, to addresses of this machine as well. */
export const wayOut = (): Outbound => {
  const outbound = new Outbound({ allowPrivateTargets: true, socketsPerHostMax: 16 })
  onTestFinished(() => outbound[Symbol.dispose]())
  return outbound
}

/** A picture as organisations send it, and as it comes out of the check. */
export const imageOf = (...people: readonly string[]): ReferenceImage => checkedImage({ people })

export const checkedImage = ({
  people,
  ...more
}: Partial<Portrait> & { readonly people: readonly string[] }): ReferenceImage => {
  const bytes = portrait({ faces: people.map((person) => ({ person })), ...more })
  const image = referenceImageOf(bytes.toString('base64'))
  if (isRefused(image)) throw new Error(image.reason)
  return image
}

export const HOLDER = imageOf('holder')

export type Wanted = {
  readonly checkId?: string
  readonly number?: number
  readonly image?: ReferenceImage
  readonly seconds?: number
  readonly account?: VendorAccount
}

/** A check by hand: what the gate will do with a vendor, step by step. */
export const checksWith = (vendor: FaceVendor, usual: VendorAccount) => ({
  begin: ({ account = usual, image = HOLDER, ...more }: Wanted = {}) =>
    vendor.begin(
      account,
      {
        checkId: `chk_${randomUUID()}`,
        number: 1,
        seconds: vendor.sessionSeconds.most,
        image,
        deviceCorrelationId: randomUUID(),
        ...more,
      },
      signal,
    ),
  rejoin: (sessionId: string, account = usual) => vendor.rejoin(account, sessionId, signal),
  read: (
    sessionId: string,
    {
      image = HOLDER,
      account = usual,
      lapsesAtMs = Date.now() + 180_000,
      livenessMin = 80,
      matchMin = 90,
    }: Partial<Asked> = {},
  ): Promise<Reading> =>
    vendor.read(account, { sessionId, image, lapsesAtMs, livenessMin, matchMin }, signal),
  end: (sessionId: string, account = usual) => vendor.end(account, sessionId, signal),
  tryAccount: (account = usual) => vendor.tryAccount(account, signal),
})

type Asked = {
  readonly image: ReferenceImage
  readonly account: VendorAccount
  readonly lapsesAtMs: number
  readonly livenessMin: number
  readonly matchMin: number
}
