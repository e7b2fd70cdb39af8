import type { ClusterListsPorts, ClusterListsSettings } from '../../../src/cluster/lists/ports.ts'
import type { ListsCluster } from '../../../src/compose/cluster-lists.ts'
import { decode, encode } from '../../../src/cluster/json-bytes.ts'
import type { SqliteDirectory } from '../../../src/directory/sqlite-directory.ts'
import type { ReplicaFile } from '../../../src/ports/list-replicas.ts'

type Link = ClusterListsPorts['link']

/** Lists of a cluster with one mistake, made around the production code. */
export type ListsVariant = {
  readonly name: string
  readonly link?: (link: Link) => Partial<Link>
  readonly file?: (file: ReplicaFile, raw: SqliteDirectory) => Partial<ReplicaFile>
  readonly cluster?: (cluster: ListsCluster) => Partial<ListsCluster>
  readonly settings?: Partial<ClusterListsSettings>
}

export const listsAsBuilt: ListsVariant = { name: 'as-built' }

const answering =
  (service: string, answer: (request: unknown, ask: () => Promise<unknown>) => Promise<unknown>) =>
  (link: Link): Partial<Link> => ({
    request: async (node, name, body, options) => {
      const ask = () => link.request(node, name, body, options)
      if (name !== service) return ask()
      return encode(await answer(decode(body), async () => decode(await ask())))
    },
  })

const mistakes: Readonly<Record<string, Omit<ListsVariant, 'name'>>> = {
  /** What the file has not read yet is still in it when the erasure is answered. */
  'confirms-without-overwriting': { file: () => ({ overwrite: async () => undefined }) },

  /** Rows that were read before the erasure are written after it. */
  'forgets-what-was-erased': {
    file: (file, raw) => ({
      overwrite: async (erased) => {
        await file.overwrite(erased)
        raw.replicated((replicas) => {
          replicas.erased.note(erased.recordId, 0, [])
        })
      },
    }),
  },

  'erases-here-alone': { cluster: () => ({ readLivingNodes: async () => [] }) },

  'serves-without-a-lease': { cluster: () => ({ mayServe: () => true }) },

  'waits-for-nothing-that-is-needed': {
    link: answering('lists.needs', async (request, ask) => {
      const { tenants } = request as { readonly tenants: readonly unknown[] }
      return { ...((await ask()) as object), needed: tenants.map(() => []) }
    }),
  },
}

export const brokenListsVariants: readonly ListsVariant[] = Object.entries(mistakes).map(
  ([name, mistake]) => ({ name, ...mistake }),
)
