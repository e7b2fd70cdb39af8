// A process to be killed: a host on the real SQLite engine that is told what to do over IPC.
import { askById } from '../../host/parts/ask-by-id.ts'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultHostLimits } from '../../../src/host/host-limits.ts'
import { Host } from '../../../src/host/host.ts'
import { soleOwner } from '../../../src/ports/ownership.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import { openJournal } from '../../../src/persistence/shard-log.ts'
import { shardLogDefaults } from '../../../src/persistence/shard-log-settings.ts'
import { openSqliteStore } from '../../../src/persistence/sqlite/journal-store.ts'
import { type AccountCommand, accountDefinition } from '../../host/parts/account.ts'

export type Order = {
  readonly id: number
  readonly actor: string
  readonly command: AccountCommand
  readonly commandId: string
}
export type Report = { readonly id: number; readonly reply?: unknown; readonly error?: string }

const [folder = '', shards = '4'] = process.argv.slice(2)
const runtime = createRuntime()
const store = await openSqliteStore(folder)
const journal = openJournal(store, runtime, shardLogDefaults, soleOwner(runtime.newId()))
const host = new Host({
  journal,
  vault: null,
  runtime,
  definitions: () => [
    accountDefinition({
      snapshotEvery: 20,
      perform: async ({ payment }) => {
        // What the world outside sees: at least once for each payment.
        appendFileSync(join(folder, 'payments.txt'), `${payment}\n`)
        await runtime.sleep(5)
        return { type: 'RecordPayment', id: payment }
      },
    }),
  ],
  limits: defaultHostLimits,
  report: () => undefined,
})
for (let shard = 0; shard < Number(shards); shard++) await host.open(shard)

process.on('message', ({ id, actor, command, commandId }: Order) => {
  askById(host, actor, command, { commandId, timeoutMs: 5_000, tenant: null }).then(
    (reply) => process.send?.({ id, reply }),
    (error: Error) => process.send?.({ id, error: error.name }),
  )
})
process.on('disconnect', () => process.exit(0))
process.send?.({ id: -1 })
