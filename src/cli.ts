import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { registerAccounts } from './cli/accounts.ts'
import { registerBiometric } from './cli/biometric.ts'
import { registerDirectory } from './cli/directory.ts'
import { registerDoctor } from './cli/doctor.ts'
import { registerAgreement, registerEndorsements } from './cli/endorsements.ts'
import { registerErasures } from './cli/erasures.ts'
import { registerJournal } from './cli/journal.ts'
import { registerMigrate } from './cli/migrate.ts'
import { registerOrganisations } from './cli/organisations.ts'
import { registerPublishing } from './cli/publishing.ts'
import { orderTo } from './cli/run-order.ts'
import { registerSandboxLedger } from './cli/sandbox-ledger.ts'
import { registerServe } from './cli/serve.ts'
import { registerShards } from './cli/shards.ts'
import { registerVault } from './cli/vault.ts'
import { registerWebhooks } from './cli/webhooks.ts'
import { readEnvironment } from './config/environment.ts'

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}
// What a command writes is for its own user, whatever the shell that started it allows.
process.umask(0o077)

const environment = readEnvironment(process.env)

const program = new Command('vouchsafe')
  .description('Issue and verify AnonCreds credentials by the million.')
  .version(version)
  .option('--json', 'answer in JSON, for programs')
  .showSuggestionAfterError()

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

await program.parseAsync()
