/** Messages between nodes are plain values, as they stand in answers of the API. */
export const encode = (message: unknown): Uint8Array => Buffer.from(JSON.stringify(message))

export const decode = (bytes: Uint8Array): unknown =>
  JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
