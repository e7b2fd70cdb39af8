import { AtomicCommand } from '../commands/atomic-command.ts'
import type { PendingCommand } from '../commands/pending-command.ts'
import type { CopiesElsewhere } from '../../ports/hot-facts.ts'
import type { Resident } from '../residents/resident.ts'

/**
 * Null where the answer may leave. Also that of a command which changed nothing may have to wait: it may be the repetition
 * of one whose answer was lost. Nobody waits for timers and outcomes of effects, and reads show what is.
 */
export const settledElsewhere = (
  copies: CopiesElsewhere,
  command: PendingCommand,
  resident: Resident,
): Promise<unknown> | null => {
  if (command.commandId === null) return null
  if (!(command instanceof AtomicCommand)) return settledFor(copies, resident)
  const waiting = command.residents.map((each) => settledFor(copies, each)).filter((each) => each !== null)
  return waiting.length === 0 ? null : Promise.all(waiting)
}

const settledFor = (copies: CopiesElsewhere, { actor, definition }: Resident): Promise<void> | null =>
  definition.isCopied ? copies.settled(actor) : null
