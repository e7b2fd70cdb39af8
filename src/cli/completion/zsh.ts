import { argumentAt, quoted, valued } from './bash.ts'
import { type CommandWords, everyCommand, type OptionWords, type Value } from './words.ts'

/** For zsh: the same words with what they do. */
export const zshScript = (program: CommandWords): string => {
  const commands = everyCommand(program)
  return `#compdef vouchsafe
# Completion of vouchsafe for zsh, made by: vouchsafe completion zsh
_vouchsafe() {
  local place='' awaited='' word
  local -i count=0 index
  local -a found=()
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    if [[ -n $awaited ]]; then
      awaited=''
      continue
    fi
    case "$place $word" in
      (${patterns(commands.slice(1).map(({ place }) => place))})
        place="$place $word"
        count=0
        ;;
      (${patterns(valued(commands).map(({ at }) => at))})
        awaited="$word"
        ;;
      (*' -'*) ;;
      (*) count+=1 ;;
    esac
  done
  if [[ -n $awaited ]]; then
    case "$place $awaited" in
${valued(commands)
  .flatMap(({ at, value }) => wanted(quoted(at), value))
  .join('\n')}
    esac
  elif [[ "\${words[CURRENT]}" == -* ]]; then
    case "$place" in
${commands.map(({ place, options }) => found(quoted(place), options.flatMap(flagLines))).join('\n')}
    esac
  else
    case "$place" in
${commands
  .filter((command) => command.commands.length > 0)
  .map(({ place, commands: below }) =>
    found(
      quoted(place),
      below.map(({ name, description }) => described(name, description)),
    ),
  )
  .join('\n')}
    esac
    case "$place $count" in
${commands.flatMap(({ place, values }) => values.flatMap((value, at) => wanted(argumentAt(place, value, at), value))).join('\n')}
    esac
  fi
  (( \${#found} )) && _describe vouchsafe found
}
if [[ "\${funcstack[1]}" == _vouchsafe ]]; then
  _vouchsafe "$@"
else
  compdef _vouchsafe vouchsafe
fi
`
}

const patterns = (texts: readonly string[]): string => texts.map(quoted).join('|')

const found = (at: string, lines: readonly string[]): string => `      (${at}) found=(${lines.join(' ')}) ;;`

const flagLines = ({ flags, description }: OptionWords): readonly string[] =>
  flags.map((flag) => described(flag, description))

/** `word:what it does`, where a quote ends the text and begins it again. */
const described = (word: string, description: string): string =>
  quoted(`${word}:${description.replaceAll("'", String.raw`'\''`)}`)

const wanted = (at: string, { choices, isFile }: Value): readonly string[] => {
  if (choices.length > 0) return [found(at, choices.map(quoted))]
  return isFile ? [`      (${at}) _files ;;`] : []
}
