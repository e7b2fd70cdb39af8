import { type CommandWords, everyCommand, type Value } from './words.ts'

/** For bash from 3.2 on: words of the program, and names of files where one is wanted. */
export const bashScript = (program: CommandWords): string => {
  const commands = everyCommand(program)
  const words = (found: readonly string[]): string => `words='${found.join(' ')}'`
  return `# Completion of vouchsafe for bash, made by: vouchsafe completion bash
_vouchsafe() {
  local current="\${COMP_WORDS[COMP_CWORD]}" place='' awaited='' words='' files='' word index
  local -i count=0
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    [[ $word == '=' ]] && continue
    if [[ -n $awaited ]]; then
      awaited=''
      continue
    fi
    case "$place $word" in
      ${patterns(commands.slice(1).map(({ place }) => place))})
        place="$place $word"
        count=0
        ;;
      ${patterns(valued(commands).map(({ at }) => at))})
        awaited="$word"
        ;;
      *' -'*) ;;
      *) count+=1 ;;
    esac
  done
  [[ $current == '=' ]] && current=''
  if [[ -n $awaited ]]; then
    case "$place $awaited" in
${valued(commands)
  .flatMap(({ at, value }) => wanted(quoted(at), value))
  .join('\n')}
    esac
  elif [[ $current == -* ]]; then
    case "$place" in
${commands.map(({ place, options }) => `      ${quoted(place)}) ${words(options.flatMap(({ flags }) => flags))} ;;`).join('\n')}
    esac
  else
    case "$place" in
${commands
  .filter((command) => command.commands.length > 0)
  .map(({ place, commands: below }) => `      ${quoted(place)}) ${words(below.map(({ name }) => name))} ;;`)
  .join('\n')}
    esac
    case "$place $count" in
${commands.flatMap(({ place, values }) => values.flatMap((value, at) => wanted(argumentAt(place, value, at), value))).join('\n')}
    esac
  fi
  if [[ -n $files ]]; then
    compopt -o default 2>/dev/null || true
  else
    COMPREPLY=($(compgen -W "$words" -- "$current"))
    compopt +o default 2>/dev/null || true
  fi
}
complete -o default -F _vouchsafe vouchsafe
`
}

/** Each option that takes a value, by the place where it may stand. */
export const valued = (commands: readonly CommandWords[]) =>
  commands.flatMap(({ place, options }) =>
    options.flatMap(({ flags, value }) =>
      value === null ? [] : flags.map((flag) => ({ at: `${place} ${flag}`, value })),
    ),
  )

export const quoted = (text: string): string => `'${text}'`

/** The place of an argument: how many stand before it, or any number of its own kind. */
export const argumentAt = (place: string, { isVariadic }: Value, at: number): string =>
  isVariadic ? `${quoted(`${place} `)}*` : quoted(`${place} ${at}`)

const patterns = (texts: readonly string[]): string => texts.map(quoted).join(' | ')

const wanted = (at: string, { choices, isFile }: Value): readonly string[] => {
  if (choices.length > 0) return [`      ${at}) words='${choices.join(' ')}' ;;`]
  return isFile ? [`      ${at}) files=yes ;;`] : []
}
