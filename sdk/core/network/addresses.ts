/** Whether a wallet speaks to an address. A release build has one answer; the other stands in a file of its own. */
export type Addresses = (url: string) => boolean

export const overHttps: Addresses = (url) => /^https:\/\/[^/?#@\\\s]+/i.test(url)

/** An address with slashes at its end is the same one without. */
export const withoutEnd = (url: string): string => url.replace(/\/+$/, '')
