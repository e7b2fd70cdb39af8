import type { Actors, OldAskOptions } from '../ports/actors.ts'

/** One kind of read of one actor, for one tenant's share of its queue. */
type Entry = {
  readonly type: unknown
  readonly tenant: string | null
  readonly running: Promise<unknown>
  next: Promise<unknown> | null
}
type Asked = readonly [actor: string, command: { readonly type?: unknown }, options: OldAskOptions]

/**
 * Reads of the same actor at the same time are one read: a burst of one key's requests does not fill the queue of the
 * actors that all of them ask. Whoever comes while a read is under way shares the one after it, which begins later, so
 * nobody is told what was true before they asked.
 */
export const sharingReads = (actors: Actors): Actors => {
  const underWay = new Map<string, Entry>()

  const begin = ([actor, command, options]: Asked): Promise<unknown> => {
    const running = actors.ask<unknown>(actor, command, options)
    const entry: Entry = { type: command.type, tenant: options.tenant, running, next: null }
    underWay.set(actor, entry)
    const over = (): void => {
      if (entry.next === null) underWay.delete(actor)
    }
    void running.then(over, over)
    return running
  }
  const shareNext = (entry: Entry, asked: Asked): Promise<unknown> => {
    const after = () => begin(asked)
    entry.next ??= entry.running.then(after, after)
    return entry.next
  }

  const ask = (actor: string, command: unknown, options: OldAskOptions): Promise<unknown> => {
    if (options.commandId !== '' || !isBare(command)) return actors.ask(actor, command, options)
    const entry = underWay.get(actor)
    if (entry === undefined) return begin([actor, command, options])
    if (entry.type !== command.type || entry.tenant !== options.tenant)
      return actors.ask(actor, command, options)
    return shareNext(entry, [actor, command, options])
  }
  return {
    ask,
    read: (from, options) => actors.read(from, options),
    askAtomically: (members, options) => actors.askAtomically(members, options),
    answerNow: (...asked) => actors.answerNow?.(...asked) ?? null,
    askTogether: (...asked) => actors.askTogether(...asked),
  }
}

/** What has no command id changes nothing; what has no field but its type asks everybody the same. */
const isBare = (command: unknown): command is { readonly type?: unknown } => {
  if (typeof command !== 'object' || command === null) return false
  for (const field in command) if (field !== 'type') return false
  return true
}
