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

/** A terminal obeys these, and names of organisations, reasons and answers come from elsewhere. */
const OBEYED = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/gu

const plain = (text: string): string => text.replaceAll(OBEYED, '?')

/** JSON has its own way to write them, but leaves some as they are. */
const plainJson = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null').replaceAll(
    OBEYED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** `columns`: the width of the terminal that a person reads stderr at; null where there is none. */
export const createOutput = (
  json: boolean,
  out: (text: string) => void = (text) => void process.stdout.write(text),
  err: (text: string) => void = (text) => void process.stderr.write(text),
  columns: number | null = null,
): Output => {
  const line = json || columns === null ? null : new ProgressLine(err, columns)
  const bar = (text: string, share: number | null = null): void => line?.show(plain(text), share)
  const note = (text: string): void => {
    line?.clear()
    if (!json) err(`${plain(text)}\n`)
  }
  let before: string | null = null
  return {
    json,
    result: (value, text) => {
      line?.clear()
      out(`${json ? plainJson(value) : plain(text)}\n`)
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
      err(`${json ? plainJson({ failed: lines }) : plain(lines.join('\n'))}\n`)
    },
  }
}
