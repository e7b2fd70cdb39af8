import { isJson } from '../wire/json.ts'

/** A face that a simulator sees on a picture. Faces with one name are of one person. */
export type Face = {
  readonly person: string
  /** 0–100: how much this face is said to be like others of the same person, where the usual score will not do. */
  readonly likeness?: number
}

/** On a picture without a note. */
export const HOLDER = 'holder'

const NOTE = 'faces:'

export const writtenOn = (faces: readonly Face[]): string => `${NOTE}${JSON.stringify(faces)}`

/** Null for a comment that is not such a note. */
export const facesNotedIn = (comment: string): readonly Face[] | null => {
  if (!comment.startsWith(NOTE)) return null
  const noted: unknown = JSON.parse(comment.slice(NOTE.length))
  if (!Array.isArray(noted)) return null
  return noted.filter(isFace)
}

function isFace(value: unknown): value is Face {
  return isJson(value) && typeof value['person'] === 'string'
}

const SAME_PERSON = 99.4
const OTHER_PERSON = 1.7

/** How alike two faces are, 0–100. */
export const likenessOf = (one: Face, other: Face): number =>
  one.person === other.person ? (one.likeness ?? other.likeness ?? SAME_PERSON) : OTHER_PERSON
