import { valued } from './bash.ts'
import { type CommandWords, everyCommand, type OptionWords, type Value } from './words.ts'

/** For fish: the same words with what they do, each on condition of the place where it may stand. */
export const fishScript = (program: CommandWords): string => {
  const commands = everyCommand(program)
  return `# Completion of vouchsafe for fish, made by: vouchsafe completion fish
function __vouchsafe_place
    set -l place ''
    set -l awaited ''
    for word in (commandline -opc)[2..-1]
        if test -n "$awaited"
            set awaited ''
            continue
        end
        switch "$place $word"
            case ${texts(commands.slice(1).map(({ place }) => place))}
                set place "$place $word"
            case ${texts(valued(commands).map(({ at }) => at))}
                set awaited "$word"
        end
    end
    echo "$place"
end
function __vouchsafe_at
    test (__vouchsafe_place) = "$argv[1]"
end
complete -c vouchsafe -f
${commands.flatMap(linesOf).join('\n')}
`
}

const linesOf = ({ place, options, values, commands }: CommandWords): readonly string[] => {
  const here = `complete -c vouchsafe -n ${text(`__vouchsafe_at ${text(place)}`)}`
  return [
    ...commands.map(({ name, description }) => `${here} -a ${name} -d ${text(description)}`),
    ...values.flatMap((value) => argument(here, value)),
    ...options.map((option) => `${here} ${flagsOf(option)} -d ${text(option.description)}`),
  ]
}

const argument = (here: string, { choices, isFile }: Value): readonly string[] => {
  if (choices.length > 0) return [`${here} -a ${text(choices.join(' '))}`]
  return isFile ? [`${here} -F`] : []
}

const flagsOf = ({ flags, value }: OptionWords): string => {
  const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
  if (value === null) return names.join(' ')
  const { choices, isFile } = value
  const after = choices.length > 0 ? `-x -a ${text(choices.join(' '))}` : isFile ? '-r -F' : '-x'
  return `${names.join(' ')} ${after}`
}

const texts = (each: readonly string[]): string => each.map(text).join(' ')

const text = (plain: string): string =>
  `'${plain.replaceAll('\\', String.raw`\\`).replaceAll("'", String.raw`\'`)}'`
