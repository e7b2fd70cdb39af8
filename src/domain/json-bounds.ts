import { limits } from './limits.ts'

/**
 * How much a JSON text may hold. Numbers in lists are counted apart: a proof has its commitments as lists of bytes,
 * which are many and cost little.
 */
export type JsonBounds = { readonly properties: number; readonly entries: number; readonly numbers: number }

const MESSAGE: JsonBounds = {
  properties: limits.messagePropertiesMax,
  entries: limits.messageEntriesMax,
  numbers: limits.messageNumbersMax,
}

/**
 * Whether a JSON text is nested deeper, or holds more, than messages may. Asked before anything is made of the text:
 * thousands of brackets overflow the stack of the code that writes or walks them, and a hundred thousand properties or
 * lists keep everybody waiting.
 */
export const isOutOfBounds = (json: string, most: JsonBounds = MESSAGE): boolean => {
  let [depth, properties, commas, numbers, opened] = [0, 0, 0, 0, 0]
  // A property has a comma and may have a bracket, as an entry has.
  const valuesMax = most.properties + most.entries
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at)
    if (character === QUOTE) {
      at = endOfText(json, at)
    } else if (character === COLON) {
      properties += 1
      if (properties > most.properties) return true
    } else if (character === COMMA) {
      if (isDigit(json.charCodeAt(at - 1))) numbers += 1
      else commas += 1
      if (commas > valuesMax || numbers > most.properties + most.numbers) return true
    } else if (character === LIST || character === OBJECT) {
      depth += 1
      opened += 1
      if (depth > limits.messageDepthMax || opened > valuesMax) return true
    } else if (character === LIST_END || character === OBJECT_END) {
      depth -= 1
    }
  }
  return false
}

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

const isDigit = (character: number): boolean => character >= 0x30 && character <= 0x39

/** Where the text that begins at `start` closes; the end of everything when it does not. */
const endOfText = (json: string, start: number): number => {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let before = end - 1
    while (json.charCodeAt(before) === BACKSLASH) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return json.length
}
