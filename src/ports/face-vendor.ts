import type { FaceVendorName } from '../domain/face-check.ts'

/**
 * What the biometric gate needs of a vendor of face checks. Nothing here throws for what a vendor, a network or an
 * organisation's set-up can do: each of it is an outcome with a type. A call rejects only when its signal is aborted.
 */

/** What an organisation has entered of its account at a vendor. What has to stand in it is the vendor's to say. */
export type VendorAccount = {
  readonly settings: Readonly<Record<string, string>>
  readonly credentials: Readonly<Record<string, string>>
}

/** An image that the organisation has sent, and that is known to be whole (`src/biometric/reference-image.ts`). */
export type ReferenceImage = {
  readonly format: 'jpeg' | 'png'
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

/** What a wallet hands to the vendor's capture SDK. It holds secrets, lives for minutes and is never stored. */
export type DeviceSession =
  | {
      readonly vendor: 'aws_rekognition'
      readonly sessionId: string
      readonly region: string
      readonly accessKeyId: string
      readonly secretAccessKey: string
      readonly sessionToken: string
      /** By the vendor's clock. */
      readonly credentialsExpireAt: string
    }
  | { readonly vendor: 'azure_face'; readonly authToken: string }
  | { readonly vendor: 'sandbox'; readonly sessionId: string; readonly token: string }

/** The vendor, or the way to it, is at fault for now. It costs no attempt, and trying again makes sense. */
export type VendorAway = {
  readonly kind: 'away'
  readonly why:
    | 'unreachable'
    | 'throttled'
    | 'broken'
    | 'redirected'
    /** Cut off, too long, or of another shape than the vendor's documents say. */
    | 'unreadable'
    /** About another session or another image than was asked for. */
    | 'contradictory'
  /** How long the vendor asks callers to wait; null where it says nothing. */
  readonly retryAfterMs: number | null
}

/** The organisation's set-up is at fault. Trying again is pointless until somebody has changed it. */
export type VendorRefused = {
  readonly kind: 'refused'
  readonly what: 'settings' | 'key' | 'permission' | 'region' | 'endpoint' | 'clock' | 'other'
  /** For people of the organisation, in our own words. There is no secret in it. */
  readonly sentence: string
}

/** The reference image shows no face or several, or the vendor does not take it. No attempt can ever pass. */
export type ImageUnfit = {
  readonly kind: 'image-unfit'
  readonly why: 'no-face' | 'several-faces' | 'not-accepted'
}

export type Obstacle = VendorAway | VendorRefused

/** Empty where everything was allowed and understood that a check needs. */
export type Trial = { readonly obstacles: readonly Obstacle[] }

export type WantedSession = {
  readonly checkId: string
  /** Which session of the check it is. The same number gets the same session where a vendor can do that. */
  readonly number: number
  /** How long the session is to live, within `sessionSeconds` of the vendor. */
  readonly seconds: number
  readonly image: ReferenceImage
  /** A UUID that stands for the wallet at this vendor and tells nobody which wallet it is. */
  readonly deviceCorrelationId: string
}

export type Begun =
  | { readonly kind: 'begun'; readonly sessionId: string; readonly device: DeviceSession }
  /** There is no such session any more, and another has to be begun. */
  | { readonly kind: 'lost' }
  | ImageUnfit
  | Obstacle

export type AskedSession = {
  readonly sessionId: string
  /** From then on nothing new can come of the session. */
  readonly lapsesAtMs: number
  readonly image: ReferenceImage
  /** 0–100. Where the vendor has no score of liveness it has no meaning. */
  readonly livenessMin: number
  /** 0–100. */
  readonly matchMin: number
}

export type Attempt = {
  /** The same for the same attempt, however often its session is read. */
  readonly id: string
  readonly verdict:
    | 'passed'
    | 'not-live'
    | 'another-person'
    /** The vendor came to a result and has nothing that could be compared. */
    | 'not-compared'
  /** 0–100, or null where the vendor says none. */
  readonly livenessScore: number | null
  readonly matchScore: number | null
}

export type Reading =
  /** Results that count, the oldest first: at least one. More may follow from the same session. */
  | { readonly kind: 'results'; readonly attempts: readonly [Attempt, ...Attempt[]] }
  | { readonly kind: 'not-yet' }
  /** Its time is over, and no result came of it. */
  | { readonly kind: 'lapsed' }
  /** The vendor does not know it any more, so nobody will learn whether a result came of it. */
  | { readonly kind: 'lost' }
  | ImageUnfit
  | Obstacle

/** `gone`: the vendor holds nothing of the session, now or soon by itself. */
export type Ended = { readonly kind: 'gone' } | Obstacle

/** By their names; the sandbox is left out where it must not be. */
export type FaceVendors = Readonly<Partial<Record<FaceVendorName, FaceVendor>>>

export interface FaceVendor {
  readonly hasLivenessScore: boolean
  /** What `matchMin` is unless the organisation says otherwise. */
  readonly usualMatchMin: number
  /** Between which bounds `seconds` of a session may be. */
  readonly sessionSeconds: { readonly least: number; readonly most: number }

  /** Tries every right that a check needs, as far as that can be done without a holder. */
  tryAccount(account: VendorAccount, signal: AbortSignal): Promise<Trial>
  begin(account: VendorAccount, wanted: WantedSession, signal: AbortSignal): Promise<Begun>
  /** A session that was begun, for a wallet that asks again: with fresh credentials where the vendor lends some. */
  rejoin(account: VendorAccount, sessionId: string, signal: AbortSignal): Promise<Begun>
  /** Reads what came of a session and compares the face with the image, as often as is wanted. */
  read(account: VendorAccount, asked: AskedSession, signal: AbortSignal): Promise<Reading>
  /** Deletes what a session keeps at the vendor. Harmless when repeated. */
  end(account: VendorAccount, sessionId: string, signal: AbortSignal): Promise<Ended>
}
