import { readFileSync } from 'node:fs'
import { InvalidArgumentError } from 'commander'

/** The value of an option that names a file with a JSON object in it. */
export const jsonFile = (file: string): object => {
  let value: unknown
  try {
    value = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    throw new InvalidArgumentError('That is not a file with JSON in it.')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw new InvalidArgumentError('The file must hold one JSON object.')
}
