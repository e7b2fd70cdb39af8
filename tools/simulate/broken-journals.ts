import type { JournalEntry, StoredActor, TimerRow } from '../../src/ports/journal.ts'
import { OWED_TIMER } from '../../src/host/timers/timer-rows.ts'
import { ShardJournalWrapper } from './shard-journal-wrapper.ts'

/** Says "committed" when the batch has only been sent. */
export class RepliesBeforeCommit extends ShardJournalWrapper {
  #last: Promise<void> = Promise.resolve()

  override append(entries: readonly JournalEntry[]): Promise<void> {
    this.#last = this.#last.then(() => this.inner.append(entries)).catch(() => {})
    return Promise.resolve()
  }
}

/** Answers as long as nobody has told it that it is no longer the owner. */
export class AnswersWithoutLease extends ShardJournalWrapper {
  override get confirmed(): boolean {
    return true
  }
}

/** A repeated command is unknown after recovery. */
export class ForgetsCommandIds extends ShardJournalWrapper {
  override async load(actor: string): Promise<StoredActor> {
    const { snapshot, events } = await this.inner.load(actor)
    return {
      snapshot:
        snapshot === null
          ? null
          : { ...snapshot, data: snapshot.data.replace(/"recentCommands":\[.*?\]/, '"recentCommands":[]') },
      events: events.map((event) => ({ ...event, commandId: null })),
    }
  }
}

/** Acknowledges timers when they are read, not when what they caused is committed. */
export class AcknowledgesTimersEarly extends ShardJournalWrapper {
  override async timersDue(
    untilMs: number,
    after: TimerRow | null,
    limit: number,
  ): Promise<readonly TimerRow[]> {
    const rows = await this.inner.timersDue(untilMs, after, limit)
    if (rows.length > 0) await this.inner.timersDone(rows)
    return rows
  }
}

/** What is owed has no wake-up of its own: it waits until the actor happens to be asked. */
export class OwesWithoutWakeUp extends ShardJournalWrapper {
  override append(entries: readonly JournalEntry[]): Promise<void> {
    return this.inner.append(
      entries.map((entry) => ({
        ...entry,
        timersSet: entry.timersSet.filter(({ timerId }) => timerId !== OWED_TIMER),
      })),
    )
  }
}

/** Timers follow the decision in a batch of their own. */
export class SetsTimersLater extends ShardJournalWrapper {
  #held: readonly TimerRow[] = []

  override append(entries: readonly JournalEntry[]): Promise<void> {
    const rows = this.#held
    this.#held = entries.flatMap(({ timersSet }) => timersSet)
    return this.inner.append(
      entries.map((entry, index) => ({ ...entry, timersSet: index === 0 ? rows : [] })),
    )
  }
}

/** Commits what was decided together one by one. */
export class TearsBatches extends ShardJournalWrapper {
  override async append(entries: readonly JournalEntry[]): Promise<void> {
    for (const entry of entries) await this.inner.append([entry])
  }
}
