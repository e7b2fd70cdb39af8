import type { Command } from 'commander'

/** How a command speaks: tables for people, or one JSON value on stdout for programs. */
export type Output = {
  readonly json: boolean
  /** The result: the value when programs ask, else the text. */
  result(value: unknown, text: string): void
  /** A line for people only; programs never see it. */
  note(line: string): void
  /** What went wrong, on stderr in either form. */
  failure(lines: readonly string[]): void
}

/** The value of an option that is a comma-separated list. */
export const listed = (text: string): readonly string[] => text.split(',').map((each) => each.trim())

/** `--json` is an option of the program itself, so every command has it. */
export const outputOf = (command: Command): Output =>
  createOutput(command.optsWithGlobals<{ json?: boolean }>().json === true)

export const createOutput = (
  json: boolean,
  out: (text: string) => void = (text) => void process.stdout.write(text),
  err: (text: string) => void = (text) => void process.stderr.write(text),
): Output => ({
  json,
  result: (value, text) => out(`${json ? JSON.stringify(value) : text}\n`),
  note: (line) => {
    if (!json) err(`${line}\n`)
  },
  failure: (lines) => err(json ? `${JSON.stringify({ failed: lines })}\n` : `${lines.join('\n')}\n`),
})
