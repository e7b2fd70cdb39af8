import { TOGETHER, type Truth } from '../truth.ts'

const ID = new RegExp(`^(?:${TOGETHER})?(c\\d+)-(\\d+)(~\\d+)?$`)

/**
 * Each caller gives a command only when the one before is answered, so in the log of each shard their numbers rise, and
 * each number is that of one command.
 */
export const commandsOutOfOrder = (truth: Truth, shardCount: number): string | null => {
  for (let shard = 0; shard < shardCount; shard++) {
    const last = new Map<string, { readonly number: number; readonly id: string }>()
    for (const id of idsOf(truth, shard)) {
      const [, caller, number = '0'] = ID.exec(id) ?? []
      // What is made once and removed again has no order.
      if (caller === undefined) continue
      const before = last.get(caller)
      if (before !== undefined && before.number > Number(number))
        return `${id} has its effect after ${before.id}`
      if (before !== undefined && before.number === Number(number) && before.id !== id)
        return `${before.id} has its effect again as ${id}`
      last.set(caller, { number: Number(number), id })
    }
  }
  return null
}

function* idsOf(truth: Truth, shard: number): Generator<string> {
  for (let no = 0; no < truth.lengthOf(shard); no++) {
    const record = truth.slot(shard, no)?.record
    if (record?.kind !== 'batch') continue
    for (const { commandId } of record.entries) if (commandId !== null) yield commandId
  }
}
