import { randomUUID } from 'node:crypto'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { causeOf, Failure } from '../../bootstrap/failure.mjs'

/** Written beside its place and moved there whole, so that no start ever finds half of it. */
export const putWhole = (
  place: string,
  { what, folder }: { readonly what: string; readonly folder: string },
  write: (part: string) => void,
): void => {
  const part = `${place}.${randomUUID()}`
  try {
    mkdirSync(dirname(place), { recursive: true })
    write(part)
    renameSync(part, place)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`${what} could not be put into ${folder}: ${causeOf(error)}.`)
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
}
