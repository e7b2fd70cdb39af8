import type { Codec } from './definition.ts'
import { lengthened, shortened } from './state/short-text.ts'

/** The same texts in about half the space, for what is kept for long; a text that was written in full is read as well. */
export const shortCodec = <Value>(full: Codec<Value>): Codec<Value> => ({
  ...full,
  encode: (value, seal) => shortened(full.encode(value, seal)),
  decode: (text, seal) => full.decode(lengthened(text), seal),
})
