import type { Actors, AskOptions } from '../actors/ports.ts'

type Entry = { running: Promise<unknown>; next: Promise<unknown> | null }

/**
 * Reads of the same actor at the same time are one read: a burst of one key's requests does not fill the queue of the
 * actors that all of them ask. Whoever comes while a read is under way shares the one after it, which begins later, so
 * nobody is told what was true before they asked.
 */
export const sharingReads = (actors: Actors): Actors => {
  const underWay = new Map<string, Entry>()

  const begin = (key: string, read: () => Promise<unknown>): Promise<unknown> => {
    const entry: Entry = { running: read(), next: null }
    underWay.set(key, entry)
    void entry.running.then(
      () => over(key, entry),
      () => over(key, entry),
    )
    return entry.running
  }
  const over = (key: string, entry: Entry): void => {
    if (entry.next === null && underWay.get(key) === entry) underWay.delete(key)
  }
  const share = (key: string, read: () => Promise<unknown>): Promise<unknown> => {
    const entry = underWay.get(key)
    if (entry === undefined) return begin(key, read)
    const after = () => begin(key, read)
    entry.next ??= entry.running.then(after, after)
    return entry.next
  }

  return {
    ask: <Reply>(actor: string, command: unknown, options: AskOptions): Promise<Reply> => {
      const type = readType(command, options)
      if (type === null) return actors.ask<Reply>(actor, command, options)
      const read = () => actors.ask<unknown>(actor, command, options)
      return share(`${type} ${actor} ${options.tenant ?? ''}`, read) as Promise<Reply>
    },
    askTogether: (...asked) => actors.askTogether(...asked),
  }
}

/** What has no command id changes nothing; what has no field but its type asks everybody the same. */
const readType = (command: unknown, { commandId }: AskOptions): string | null => {
  if (commandId !== '' || typeof command !== 'object' || command === null) return null
  const { type, ...more } = command as { readonly type?: unknown }
  return typeof type === 'string' && Object.keys(more).length === 0 ? type : null
}
