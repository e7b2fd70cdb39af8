import { InvalidArgumentError } from 'commander'

/** Reads an argument of a command line; what is no whole number between the two is refused with the sentence. */
export const wholeNumber =
  (sentence = 'It must be a whole number.', least = 0, most = Number.MAX_SAFE_INTEGER) =>
  (text: string): number => {
    const value = Number(text)
    if (Number.isSafeInteger(value) && value >= least && value <= most) return value
    throw new InvalidArgumentError(sentence)
  }
