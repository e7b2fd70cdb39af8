import { Command } from 'commander'
import { kinds } from '../actors/index.ts'
import { publishedEventsOf } from '../actors/published-events.ts'
import type { Environment } from '../config/config.ts'
import { registerAccounts } from './accounts.ts'
import { registerBiometric } from './biometric.ts'
import { registerCompletion } from './completion.ts'
import { registerDirectory } from './directory.ts'
import { registerDoctor } from './doctor.ts'
import { registerAgreement, registerEndorsements } from './endorsements.ts'
import { registerErasures } from './erasures.ts'
import { registerJournal } from './journal.ts'
import { registerListen } from './listen.ts'
import { registerMigrate } from './migrate.ts'
import { registerOrganisations } from './organisations.ts'
import { createOutput } from './output.ts'
import { registerPublishing } from './publishing.ts'
import { orderTo } from './run-order.ts'
import { registerSandboxLedger } from './sandbox-ledger.ts'
import { registerServe } from './serve.ts'
import { registerShards } from './shards.ts'
import { registerTrigger } from './trigger.ts'
import { registerVault } from './vault.ts'
import { registerWebhooks } from './webhooks.ts'

/** Everything that `vouchsafe` can be told. */
export const vouchsafeProgram = (environment: Environment, version: string): Command => {
  const program = new Command('vouchsafe')
    .description('Issue and verify AnonCreds credentials by the million.')
    .version(version)
    .option('--json', 'answer in JSON, for programs')
    .showSuggestionAfterError()
  // Commands take it from here when they are made.
  program.configureOutput({
    outputError: (text, write) =>
      createOutput(asksForJson(program), write, write).failure(text.trim().split('\n')),
  })
  registerServe(program, environment)
  registerSandboxLedger(program)
  registerDoctor(program, environment)
  registerMigrate(program, environment)
  registerJournal(program, environment)
  registerVault(program, environment)
  registerErasures(program, environment)
  const order = orderTo(environment)
  registerOrganisations(program, order)
  registerPublishing(program, order)
  registerEndorsements(program, order)
  registerAgreement(program, order)
  registerWebhooks(program, order)
  registerBiometric(program, order)
  registerDirectory(program, order)
  registerAccounts(program, order)
  registerShards(program, order)
  const eventTypes = publishedEventsOf(kinds).map(({ type }) => type)
  registerListen(program, environment, eventTypes)
  registerTrigger(program, environment, eventTypes)
  registerCompletion(program)
  return program
}

/** Words that cannot be understood may come before the option is. */
const asksForJson = (program: Command): boolean =>
  program.opts<{ json?: boolean }>().json === true || process.argv.includes('--json')
