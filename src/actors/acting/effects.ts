import { createHash } from 'node:crypto'
import { isRefused } from '../../domain/decider.ts'
import { auditEntry } from '../audit-entry/rules.ts'
import type { KindPorts } from '../kind-ports.ts'
import { shardOfRealm } from '../roster/rules.ts'
import type { ActingCommand, ReportEnd } from './rules.ts'

/** A line of the organisation's audit log, whose id follows from what ended: reported twice, it is one line. */
export const reportEnd = async (
  { actors }: Pick<KindPorts, 'actors'>,
  actor: string,
  { end }: ReportEnd,
): Promise<ActingCommand> => {
  const { number, organisation, operatorId, atMs } = end
  const unique = createHash('sha256').update(`${actor} ${number}`).digest('hex').slice(0, 32)
  const entry = auditEntry.newRef(shardOfRealm(organisation), unique)
  const isByTime = end.by === 'time'
  const opened = await actors.ask(
    entry,
    {
      type: 'OpenAuditEntry',
      atMs,
      outcome: 'done',
      organisation,
      initiator: isByTime ? 'nobody' : 'operator',
      initiatorId: operatorId,
      action: isByTime ? 'actingRanOut' : 'endActing',
      targetId: organisation,
    },
    { commandId: `open ${entry}`, tenant: null },
  )
  if (isRefused(opened)) throw new Error('the audit log refused a line')
  return { type: 'RecordEndReported', number, atMs }
}
