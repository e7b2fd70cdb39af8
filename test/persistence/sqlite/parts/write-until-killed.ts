// Appends to sixteen shards at once, says on stdout what is acknowledged, and is killed in the middle of it.
import { writeSync } from 'node:fs'
import { openSqliteStore } from '../../../../src/persistence/sqlite/journal-store.ts'
import { batchSlot, entry, someActor } from '../../../contract/journal/parts/slots.ts'

const [folder = ''] = process.argv.slice(2)
const store = await openSqliteStore(folder)
setTimeout(() => process.kill(process.pid, 'SIGKILL'), 1_000)

const write = async (shard: number): Promise<void> => {
  const actor = someActor(shard)
  for (let no = 0; ; no++) {
    await store.append(batchSlot(shard, no, 1, [entry(actor, no + 1)]))
    writeSync(1, `${shard * 1_000_000 + no}\n`)
  }
}
await Promise.all(Array.from({ length: 16 }, (_, shard) => write(shard)))
