/** FNV-1a over the characters of a text, 32 bits. Part of what is stored, so never to be changed. */
export const fnv1a = (text: string): number => {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
