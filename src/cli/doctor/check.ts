import type { Config } from '../../config/config.ts'

/** One line of the doctor: what was found, and for a failure how to mend it. */
export type Finding =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: false; readonly detail: string; readonly mend: string }

export type Check = {
  readonly name: string
  /** False when this configuration leaves nothing to check. */
  readonly applies: (config: Config) => boolean
  readonly run: (config: Config) => Promise<Finding>
}

export const fine = (detail: string): Finding => ({ ok: true, detail })
export const broken = (detail: string, mend: string): Finding => ({ ok: false, detail, mend })

export const always = (): boolean => true

/** The code of a system error, or the first line of its message, so that the table keeps one line for each check. */
export const causeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as NodeJS.ErrnoException
  return code ?? error.message.split('\n')[0] ?? error.name
}
