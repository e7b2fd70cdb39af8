import type { Argument, Command, Option } from 'commander'

/** What can stand in a place: some words, the name of a file, or what nobody can guess. */
export type Value = {
  readonly choices: readonly string[]
  readonly isFile: boolean
  readonly isVariadic: boolean
}

export type OptionWords = {
  /** `--role`, and a short form where there is one. */
  readonly flags: readonly string[]
  readonly description: string
  /** Null: it takes none. */
  readonly value: Value | null
}

export type CommandWords = {
  /** The words behind `vouchsafe`, each with a space before it; empty for `vouchsafe` itself. */
  readonly place: string
  readonly name: string
  readonly description: string
  readonly options: readonly OptionWords[]
  readonly values: readonly Value[]
  readonly commands: readonly CommandWords[]
}

/** The words of a program as a shell has to know them, with everything below. */
export const commandWords = (program: Command): CommandWords => {
  // Those of the program itself may stand behind every command, but its version.
  const everywhere = program.options.filter(({ long }) => long !== '--version')
  return wordsOf(program, '', everywhere)
}

/** The command and all below it. */
export const everyCommand = (command: CommandWords): readonly CommandWords[] => [
  command,
  ...command.commands.flatMap(everyCommand),
]

const wordsOf = (command: Command, place: string, everywhere: readonly Option[]): CommandWords => {
  const help = command.createHelp()
  const own = help.visibleOptions(command)
  const options = [...own, ...everywhere.filter((option) => !own.includes(option))]
  return {
    place,
    name: command.name(),
    description: command.description(),
    options: options.map(optionWords),
    values: command.registeredArguments.map(valueOfArgument),
    // Those that commander makes for itself are not among them.
    commands: command.commands.map((each) => wordsOf(each, `${place} ${word(each.name())}`, everywhere)),
  }
}

const optionWords = ({
  short,
  long,
  flags,
  description,
  required,
  optional,
  variadic,
  argChoices = [],
}: Option): OptionWords => {
  const named = /[<[]([\w-]+)/.exec(flags)?.[1] ?? ''
  return {
    flags: [long, short].filter((flag) => flag !== undefined).map(word),
    description,
    value: required || optional ? value(named, argChoices, variadic) : null,
  }
}

const valueOfArgument = (argument: Argument): Value =>
  value(argument.name(), argument.argChoices ?? [], argument.variadic)

const value = (name: string, choices: readonly string[], isVariadic: boolean): Value => ({
  choices: choices.map(word),
  isFile: /\b(files?|folder)$/.test(name),
  isVariadic,
})

/** Shells read these without quotes. */
const word = (text: string): string => {
  if (/^[\w.-]+$/.test(text)) return text
  throw new Error(`no shell reads ${text} as one word`)
}
