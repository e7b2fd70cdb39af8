/** Everything that a call can fail with, and what the app should do then. There are no other kinds. */
export const walletErrorAdvice = {
  NotInitialized: 'Call initialize() and wait for it.',
  WalletTokenRejected:
    'The platform refused the wallet token twice. Let your backend call POST /v1/wallets for this installation again; answers it 409 wallet_revoked, then call reset() and go on with a new installation id.',
  NetworkUnavailable:
    'Show that there is no network. Nothing is lost: what was accepted or presented goes out with a later sync.',
  PlatformError:
    'The platform answered, but not with what was asked. Try again later, and after retryAfterSeconds where it is given; tell your operators where it stays.',
  InvalidInvitation:
    'Tell the holder that this link or code is not valid any more, or is none of this kind, and let another be made.',
  MediatorUnavailable:
    'Messages cannot be fetched at the moment. Try again later; where it lasts for days, the mailbox may be gone: call reset() and let credentials be issued again.',
  LedgerUnavailable: 'The ledger did not answer. The offer or request is still there: try again later.',
  NotFound: 'There is nothing with this id (any more): refresh the list that it came from.',
  InvalidSelection:
    'The chosen credentials do not answer this request. Let the holder choose among candidates() again, or decline.',
  WalletKeyLost:
    'What the wallet keeps cannot be opened any more. Tell the holder, call reset(), and let credentials be issued again.',
  Internal:
    'This should not happen. Report it with its code and its cause. Where the code is about the storage, the advice says what to do about that.',
  BiometricRequired: 'Register a biometric capture, and call again.',
  BiometricCaptureUnavailable: 'The camera cannot be used: ask for the permission, and call again.',
  BiometricCancelled: 'The holder went back. Offer to try again.',
  BiometricFailed: 'The check was not passed. Offer another attempt while there are any.',
} as const

/** What the app should do about an `Internal` with one of these codes. */
export const internalAdvice = {
  storage_damaged:
    'What the wallet has stored is damaged, and is left as it is. Tell the holder, call reset(), and let credentials be issued again.',
  storage_in_use: 'Another process has this wallet open. End it there, and call again: nothing is lost.',
  storage_unavailable:
    'The storage cannot be opened now: look at the cause (rights, space, a phone that is locked), and call again. Nothing is known to be lost, so do not reset.',
  storage_failed:
    'Something could not be stored, mostly because there is no space. Make room, then call initialize() again: everything goes on from where it was.',
  reading_too_long:
    'A message took too long to read, and was given up. Call initialize() again: everything goes on from where it was.',
  storage_newer: 'The wallet was stored by a newer version of the app: install that again. Nothing is lost.',
} as const

const hasAdvice = (code: string | null): code is keyof typeof internalAdvice =>
  code !== null && Object.hasOwn(internalAdvice, code)

export type WalletErrorKind = keyof typeof walletErrorAdvice

type Facts = {
  readonly cause?: unknown
  /** What happened, for logs; kinds are what an app decides by. */
  readonly code?: string
  readonly retryAfterSeconds?: number | null
}

/** The one class of errors that the SDK throws. */
export class WalletError extends Error {
  readonly kind: WalletErrorKind
  readonly code: string | null
  readonly retryAfterSeconds: number | null

  constructor(kind: WalletErrorKind, message: string, { cause, code, retryAfterSeconds }: Facts = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.name = 'WalletError'
    this.kind = kind
    this.code = code ?? null
    this.retryAfterSeconds = retryAfterSeconds ?? null
  }

  /** What the app should do. */
  get advice(): string {
    return this.kind === 'Internal' && hasAdvice(this.code)
      ? internalAdvice[this.code]
      : walletErrorAdvice[this.kind]
  }
}

/** What comes from below and is no kind of ours is a fault of ours. */
export const asWalletError = (error: unknown): WalletError =>
  error instanceof WalletError
    ? error
    : new WalletError('Internal', error instanceof Error ? error.message : String(error), { cause: error })

export const isKind = (error: unknown, ...kinds: readonly WalletErrorKind[]): error is WalletError =>
  error instanceof WalletError && kinds.includes(error.kind)
