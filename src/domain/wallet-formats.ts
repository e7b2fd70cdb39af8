/**
 * How credentials and proofs stand in messages: the newer form, and the one that some wallets know alone. What is inside
 * is the same in both.
 */
export const walletFormats = ['anoncreds', 'hlindy'] as const
export type WalletFormat = (typeof walletFormats)[number]

/** A wallet that knows neither says nothing, so one that has not answered by then may know the other alone. */
export const OTHER_FORMAT_AFTER_MS = 30_000
