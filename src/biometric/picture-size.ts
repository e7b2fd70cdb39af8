/** What the structure of a picture says, or the end of a sentence about what is wrong with it. */
export type PictureSize = { readonly width: number; readonly height: number } | string

export const CUT_OFF = 'is cut off: its end is missing'

export const trailing = (bytes: number): string =>
  `has ${bytes} bytes behind its end: save it again as one plain picture`
