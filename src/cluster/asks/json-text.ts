/** The error of the language quotes what it could not read, and that may be personal. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new SyntaxError('what came from another node is no JSON')
  }
}

export const textOfFrame = (frame: Uint8Array): string =>
  Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength).toString()
