import type { FileOfNode } from '../../../src/compose/cluster-lists.ts'
import { SqliteDirectory } from '../../../src/directory/sqlite-directory.ts'
import { AskFailed } from '../../../src/ports/actors.ts'
import type { RowKey } from '../../../src/ports/list-replicas.ts'
import { decodedRows, type RowCells } from '../../../src/directory/change-codec.ts'
import type { SimulatedProcess } from '../simulated-process.ts'
import type { World } from '../world.ts'

const STEP_MS = 3
const GATHER_MS = 50
/** Answers are cut after a few rows, so that a file is filled in many steps. */
const LIMITS = { rows: 4, bytes: 65_536 }

/** The file of a node, which outlives its processes. */
export const newFile = (): SqliteDirectory => new SqliteDirectory(':memory:', true)

/** What the file has of these rows, whoever works on it. */
export const rowsIn = (file: SqliteDirectory, keys: readonly RowKey[]): readonly RowCells[] =>
  decodedRows(file.replicated((replicas) => replicas.rowsOf(keys)))

/** The production file behind a thread that does one thing after the other, in virtual time. */
export const threadOf = (file: SqliteDirectory, process: SimulatedProcess, world: World): FileOfNode => {
  let freeMs = 0
  const call = <Result>(work: () => Result | Promise<Result>): Promise<Result> => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    freeMs = Math.max(freeMs, world.nowMs) + world.random.next() * STEP_MS
    world.at(freeMs - world.nowMs, process, () => {
      new Promise<Result>((done) => done(work())).then(resolve, (cause: unknown) =>
        reject(new AskFailed('unavailable', 'the directory could not do it', 100, { cause })),
      )
    })
    return promise
  }
  const replicated = <Result>(work: Parameters<typeof file.replicated<Result>>[0]): Promise<Result> =>
    call(() => file.replicated(work))
  return {
    list: (query) => call(() => file.list(query)),
    overview: (query) => call(() => file.overview(query)),
    due: (query) => call(() => file.due(query)),
    positionOf: (shard) => call(() => file.positionOf(shard)),
    write: async (shard, rows, position, epoch) => {
      await process.runtime.sleep(world.random.next() * GATHER_MS)
      const [written] = await call(() =>
        file.writeAll([{ shard, rows, position, ...(epoch !== undefined && { epoch }) }]),
      )
      return written?.rev ?? null
    },
    hurried: (work) => work(),
    replicas: {
      states: () => replicated((replicas) => replicas.list()),
      changesAfter: (wanted) => replicated((replicas) => replicas.changesAfter(wanted, LIMITS)),
      apply: (bytes) => replicated((replicas) => replicas.apply(bytes)),
      inQuestion: ({ shard, to }) => replicated((replicas) => replicas.inQuestion(shard, to)),
      rowsOf: ({ keys }) => replicated((replicas) => replicas.rowsOf(keys)),
      settle: ({ shard, rev, to, keys, bytes }) =>
        replicated((replicas) => replicas.settle(shard, rev, to, keys, bytes)),
      fillAnew: ({ shard, rev }) => replicated((replicas) => replicas.fillAnew(shard, rev)),
      overwrite: (erased) => replicated((replicas) => replicas.overwrite(erased)),
      openTerms: (terms) => replicated((replicas) => replicas.openTerms(terms)),
      unlistKeys: ({ shard, epoch, keys }) =>
        replicated((replicas) => replicas.unlistKeys(shard, epoch, keys)),
      keysOfRecord: ({ shard, recordId }) => replicated((replicas) => replicas.keysOfRecord(shard, recordId)),
      keysOf: (rows) => replicated((replicas) => replicas.keysOf(rows)),
      sweptIn: ({ rows, epochs }) => replicated((replicas) => replicas.sweptIn(rows, epochs)),
    },
  }
}
