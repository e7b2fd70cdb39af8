/**
 * The form in which texts are compared: letters of every script without regard to case. Upper case first, because only
 * that way ß meets SS and both sigmas meet Σ.
 */
export const fold = (text: string): string =>
  text.normalize('NFC').toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFC')
