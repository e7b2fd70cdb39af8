import type { Command } from 'commander'
import { ProgressLine } from './progress-line.ts'

/** How a command speaks: tables for people, or one JSON value on stdout for programs. */
export type Output = {
  readonly json: boolean
  /** The result: the value when programs ask, else the text. */
  result(value: unknown, text: string): void
  /** A line for people only; programs never see it. */
  note(line: string): void
  /** How far something is, at a terminal alone. `share`: how much of it is done, from 0 to 1, where that is known. */
  bar(line: string, share?: number): void
  /** The same, and where there is no terminal a line for people at each change. */
  progress(line: string, share?: number): void
  /** Says at a terminal that work goes on, once it takes longer than a second. */
  during<Value>(line: string, work: Promise<Value>): Promise<Value>
  /** What went wrong, on stderr in either form. */
  failure(lines: readonly string[]): void
}

/** The value of an option that is a comma-separated list. */
export const listed = (text: string): readonly string[] => text.split(',').map((each) => each.trim())

/** `--json` is an option of the program itself, so every command has it. */
export const outputOf = (command: Command): Output =>
  createOutput(
    command.optsWithGlobals<{ json?: boolean }>().json === true,
    undefined,
    undefined,
    process.stderr.isTTY ? process.stderr.columns : null,
  )

const TICK_MS = 1_000

/** `columns`: the width of the terminal that a person reads stderr at; null where there is none. */
export const createOutput = (
  json: boolean,
  out: (text: string) => void = (text) => void process.stdout.write(text),
  err: (text: string) => void = (text) => void process.stderr.write(text),
  columns: number | null = null,
): Output => {
  const line = json || columns === null ? null : new ProgressLine(err, columns)
  const bar = (text: string, share: number | null = null): void => line?.show(text, share)
  const note = (text: string): void => {
    line?.clear()
    if (!json) err(`${text}\n`)
  }
  let before: string | null = null
  return {
    json,
    result: (value, text) => {
      line?.clear()
      out(`${json ? JSON.stringify(value) : text}\n`)
    },
    note,
    bar,
    progress: (text, share) => {
      bar(text, share)
      if (line === null && text !== before) note(text)
      before = text
    },
    during: async (text, work) => {
      if (line === null) return work
      const startedMs = performance.now()
      const seconds = (): number => Math.round((performance.now() - startedMs) / TICK_MS)
      const ticking = setInterval(() => line.show(`${text} ${seconds()} s`, null), TICK_MS)
      try {
        return await work
      } finally {
        clearInterval(ticking)
        line.clear()
      }
    },
    failure: (lines) => {
      line?.clear()
      err(json ? `${JSON.stringify({ failed: lines })}\n` : `${lines.join('\n')}\n`)
    },
  }
}
