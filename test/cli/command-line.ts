import { Command } from 'commander'
import { vi } from 'vitest'
import { registerAccounts } from '../../src/cli/accounts.ts'
import { registerDirectory } from '../../src/cli/directory.ts'
import { registerOrganisations } from '../../src/cli/organisations.ts'
import { registerPublishing } from '../../src/cli/publishing.ts'
import { orderTo } from '../../src/cli/run-order.ts'
import { registerWebhooks } from '../../src/cli/webhooks.ts'

/** The commands that give the running service orders. */
export const program = (dataFolder: string): Command => {
  const commands = new Command('vouchsafe').option('--json').exitOverride()
  const order = orderTo({ VOUCHSAFE_DATA_FOLDER: dataFolder })
  registerOrganisations(commands, order)
  registerPublishing(commands, order)
  registerWebhooks(commands, order)
  registerDirectory(commands, order)
  registerAccounts(commands, order)
  return commands
}

/** Runs one command as a shell would, and gives its exit code and what it wrote. */
export const commandLine =
  (dataFolder: string) =>
  async (...words: readonly string[]) => {
    const written = { out: '', err: '' }
    const into = (stream: keyof typeof written) => (text: string | Uint8Array) => {
      written[stream] += String(text)
      return true
    }
    const spies = [
      vi.spyOn(process.stdout, 'write').mockImplementation(into('out')),
      vi.spyOn(process.stderr, 'write').mockImplementation(into('err')),
    ]
    const before = process.exitCode
    try {
      await program(dataFolder).parseAsync([...words], { from: 'user' })
      return { code: process.exitCode, ...written }
    } finally {
      process.exitCode = before
      for (const spy of spies) spy.mockRestore()
    }
  }
