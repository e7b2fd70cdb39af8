/** How types of messages begin. Wallets use both, and an answer begins as what it answers. */
export const PREFIX = 'https://didcomm.org/'
export const OLD_PREFIX = 'did:sov:BzCbsNYhMrjHiqZDTUASHg;spec/'
/** Of protocols that are our own. */
export const OWN_PREFIX = 'urn:vouchsafe:didcomm/'

export const messagePrefixes = [PREFIX, OLD_PREFIX, OWN_PREFIX] as const
export type MessagePrefix = (typeof messagePrefixes)[number]

/** How the other side's messages begin, and so our answers to them. */
export type Prefixed = { readonly prefix: MessagePrefix }
