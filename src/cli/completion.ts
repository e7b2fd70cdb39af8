import { Argument, type Command } from 'commander'
import { action } from './action.ts'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import { type CommandWords, commandWords } from './completion/words.ts'
import { zshScript } from './completion/zsh.ts'

const scripts: Readonly<Record<string, (program: CommandWords) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** Registered last or first, it is all the same: the words are those that the program has when it is asked. */
export const registerCompletion = (program: Command): void => {
  program
    .command('completion')
    .description('write the script with which a shell completes the words of this command')
    .addArgument(new Argument('<shell>', 'for which shell').choices(Object.keys(scripts)))
    .action(
      action(async ({ shell }: { readonly shell: string }, output) => {
        const script = scripts[shell]?.(commandWords(program)) ?? ''
        output.result({ shell, script }, script.trimEnd())
      }),
    )
}
