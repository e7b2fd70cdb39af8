// @ts-check

/** Something the person who started can mend; its message is the whole sentence they are shown. */
export class Failure extends Error {}

const NETWORK =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|UND_ERR_\w+)\b/
const NETWORK_WORDS =
  /(Temporary failure in name resolution|Name or service not known|nodename nor servname|Network is unreachable|Connection refused|Failed to establish a new connection|Read timed out|ConnectTimeoutError)/i

/**
 * The causes that npm, pip, Node and the file system have in common, or null when the text names none of them.
 * @param {string} text
 * @returns {string | null}
 */
export const knownCause = (text) => {
  if (/ENOSPC|No space left on device/i.test(text)) return 'the disk is full: free some space and start again'
  if (/EROFS|Read-only file system/i.test(text))
    return 'the file system is read-only: make the folder writable and start again'
  if (/EACCES|EPERM|Permission denied/i.test(text))
    return 'this user may not write there: mend the rights of the folder and start again'
  const network = NETWORK.exec(text)?.[1] ?? NETWORK_WORDS.exec(text)?.[1]
  if (network)
    return `there is no way to the package registry (${network}): connect this machine to the network, or set its proxy or mirror, and start again`
  if (/CERTIFICATE|SSL|self-signed certificate/i.test(text)) {
    return 'the certificate of the package registry is not trusted here: give npm and pip your own authority (NODE_EXTRA_CA_CERTS, PIP_CERT) and start again'
  }
  return null
}

/**
 * An error of the file system or of fetch as the end of a sentence.
 * @param {unknown} error
 */
export const causeOf = (error) => {
  const { code, message, cause } =
    /** @type {{ code?: string, message?: string, cause?: { code?: string, message?: string } }} */ (error)
  const text = [code, message, cause?.code, cause?.message].filter(Boolean).join(' ')
  return knownCause(text) ?? text
}
