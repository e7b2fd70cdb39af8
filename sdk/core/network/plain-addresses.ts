import { overHttps, type Addresses } from './addresses.ts'

/** For a service on the developer's own machine. Only the entry for development knows this file. */
export const overHttpToo: Addresses = (url) => overHttps(url) || /^http:\/\/[^/?#@\\\s]+/i.test(url)
