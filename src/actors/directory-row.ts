import { kindOf } from '../domain/shards.ts'
import type { DirectoryRow } from '../ports/directory.ts'
import { AUDIT_ENTRY } from './audit-entry/kind.ts'
import { auditRowOf } from './audit-entry/record-entry.ts'
import type { UseCasePorts } from './command-ports.ts'
import { kinds } from './index.ts'
import { KindTables } from './tables.ts'

const tables = new KindTables(kinds)

/** How lists find the actor as it is now; null for a kind that is in no list. */
export const directoryRowOf = async (
  ports: Pick<UseCasePorts, 'actors' | 'askTimeoutMs'>,
  id: string,
): Promise<DirectoryRow | null> =>
  kindOf(id) === AUDIT_ENTRY ? auditRowOf(ports, id) : tables.rowOf(ports.actors, id)
