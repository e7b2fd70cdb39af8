import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, loadConfig } from '../../src/config/config.ts'
import { SHARD_COUNT } from '../../src/domain/references.ts'
import { unwrapSnapshot } from '../../src/host/state/snapshot-envelope.ts'
import { engineSettings } from '../../src/persistence/engine-settings.ts'
import { readActor, walkActors } from '../../src/persistence/journal-walk.ts'
import { openEngine } from '../../src/persistence/open-engine.ts'
import { openKeyStore, openVaultUnchecked } from '../../src/persistence/vault/open-vault.ts'
import { filesWithBytes } from '../../tools/scan/places.ts'
import type { ClusterAddress } from '../engines/shared-cluster.ts'
import { type Canaries, foundInFolder } from '../integration/canaries.ts'
import { asRows } from '../persistence/vault/parts/as-rows.ts'
import { temporaryFolder } from '../temporary-folder.ts'

/** What lies in the stores of a service, looked at beside it. */
export type StoredTruth = {
  /** Everything that any of its keys opens, and what stands there in clear. */
  readonly opened: () => Promise<Buffer>
  readonly wrappedKeysOf: (record: string) => Promise<readonly Buffer[]>
  /** Where one of the keys is still found that these records had. */
  readonly keysLeft: (records: readonly string[], keys: readonly Buffer[]) => Promise<readonly string[]>
  /** Where a canary stands in a file. */
  readonly inFiles: (canaries: Canaries) => readonly string[]
}

export const truthInFolder = (folder: string): StoredTruth => {
  const config = configOf(folder)
  return {
    opened: () => {
      // The journal of a running process is looked at in a copy, whose last events are on the disk too.
      const copy = join(temporaryFolder('stored-truth'), 'copy')
      cpSync(folder, copy, { recursive: true })
      return everythingIn(configOf(copy))
    },
    wrappedKeysOf: (record) => wrappedKeysIn(config, record),
    keysLeft: async (_, keys) => keys.flatMap((key) => filesWithBytes(folder, key)),
    inFiles: (canaries) => foundInFolder(folder, canaries),
  }
}

/** All of the cluster is read, what other tests have left there too. Cassandra's files keep what was deleted, sealed, until they are compacted; what its nodes answer is the truth. */
export const truthOnCluster = ({ settings, nodes }: ClusterAddress): StoredTruth => {
  const config = loadConfig(settings)
  return {
    opened: () => everythingIn(config),
    wrappedKeysOf: (record) => wrappedKeysIn(config, record),
    keysLeft: async (records) => {
      const left = records.map(async (record) => (await wrappedKeysIn(config, record)).map(() => record))
      return (await Promise.all(left)).flat()
    },
    inFiles: (canaries) => nodes.flatMap(({ dataFolder }) => foundInFolder(dataFolder, canaries)),
  }
}

const configOf = (folder: string): Config => loadConfig({ VOUCHSAFE_DATA_FOLDER: folder })

const everythingIn = async (config: Config): Promise<Buffer> => {
  const engine = await openEngine(engineSettings(config))
  const keys = await openKeyStore(config, engine.cassandra, false)
  const vault = await openVaultUnchecked(config, keys, () => 0)
  const reads = engine.store
  const texts: string[] = []
  for (let shard = 0; shard < SHARD_COUNT; shard++)
    for await (const actor of walkActors(reads, shard)) {
      const { snapshot, events } = await readActor(reads, actor)
      const state = snapshot === null ? [] : [unwrapSnapshot(snapshot.data).state]
      for (const text of [...events.map(({ data }) => data), ...state])
        texts.push(text, ...(await openedParts(vault, actor, text)))
    }
  await vault[Symbol.asyncDispose]()
  await engine[Symbol.asyncDispose]()
  return Buffer.from(texts.join('\n'))
}

type Vault = Awaited<ReturnType<typeof openVaultUnchecked>>
type Sealed = { readonly owner: string; readonly text: string }

/** Sealed texts in a stored one, however deep: `s` beside its data, under the keys of all whose ids stand near. */
const openedParts = async (vault: Vault, actor: string, text: string): Promise<readonly string[]> => {
  const opened: string[] = []
  for (const { owner, text: stored } of sealedIn(actor, text)) {
    const at = stored.lastIndexOf(',"s":"')
    const sealed = stored.slice(at + ',"s":"'.length, -2)
    try {
      const plain = (await vault.open(owner)).open(sealed, stored.slice(0, at))
      if (plain !== null) opened.push(plain)
    } catch {
      // It is sealed under the key of another.
    }
  }
  return opened
}

const sealedIn = (actor: string, text: string): readonly Sealed[] => {
  const owners = [...new Set([actor, ...(text.match(/(?:cre|pro|con)_[0-9a-z]{10,}/g) ?? [])])]
  const nested = [...text.matchAll(/"sealed":"((?:[^"\\]|\\.)*)"/g)].map(
    ([, inner]) => JSON.parse(`"${inner ?? ''}"`) as string,
  )
  const texts = [text, ...nested].filter((each) => each.includes(',"s":"'))
  return owners.flatMap((owner) => texts.map((each) => ({ owner, text: each })))
}

/** On SQLite beside the process that has the journal; the keys of a cluster are in the Cassandra of its journal. */
const wrappedKeysIn = async (config: Config, record: string): Promise<readonly Buffer[]> => {
  const settings = engineSettings(config)
  const engine = settings.engine === 'sqlite' ? null : await openEngine(settings)
  const keys = await openKeyStore(config, engine?.cassandra ?? null, false)
  const rows = asRows(await keys.readKeys(record))
  await keys[Symbol.asyncDispose]()
  await engine?.[Symbol.asyncDispose]()
  return rows.map(({ wrapped }) => wrapped)
}
