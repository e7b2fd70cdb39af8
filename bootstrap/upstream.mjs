// @ts-check

const CONNECT_TIMEOUT_MS = 3_000
const DOWNLOAD_TIMEOUT_MS = 120_000

let closed = false

/**
 * The bytes behind an address of upstream's releases, or null. Once upstream could not be reached it is not asked again
 * in this start: the wheels carry the same libraries, and nobody should wait for every one of them.
 * @param {string} address
 * @returns {Promise<Buffer | null>}
 */
export const downloadFromUpstream = async (address) => {
  if (closed) return null
  const abort = new AbortController()
  let limit = setTimeout(() => abort.abort(), CONNECT_TIMEOUT_MS)
  try {
    const answer = await fetch(address, { signal: abort.signal })
    clearTimeout(limit)
    limit = setTimeout(() => abort.abort(), DOWNLOAD_TIMEOUT_MS)
    if (answer.ok) return Buffer.from(await answer.arrayBuffer())
    await answer.body?.cancel()
    return null
  } catch {
    closed = true
    return null
  } finally {
    clearTimeout(limit)
  }
}
