import { limits } from './limits.ts'

/**
 * Whether a JSON text is nested deeper, or has more properties, than messages may. Asked before anything is made of the
 * text: thousands of brackets overflow the stack of the code that writes or walks them, and a hundred thousand
 * properties keep everybody waiting.
 */
export const isOutOfBounds = (json: string, propertiesMax: number = limits.messagePropertiesMax): boolean => {
  let [depth, properties] = [0, 0]
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at)
    if (character === QUOTE) {
      at = endOfText(json, at)
    } else if (character === COLON) {
      properties += 1
      if (properties > propertiesMax) return true
    } else if (character === LIST || character === OBJECT) {
      depth += 1
      if (depth > limits.messageDepthMax) return true
    } else if (character === LIST_END || character === OBJECT_END) {
      depth -= 1
    }
  }
  return false
}

const [QUOTE, BACKSLASH, COLON, LIST, LIST_END, OBJECT, OBJECT_END] = [
  0x22, 0x5c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
]

/** Where the text that begins at `start` closes; the end of everything when it does not. */
const endOfText = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === BACKSLASH) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}
