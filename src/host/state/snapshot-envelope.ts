import { lengthened, shortened } from './short-text.ts'

/** What a snapshot holds beside the state: the command ids, without which a repetition after recovery would be decided a second time. */
export type SnapshotEnvelope = { readonly recentCommands: readonly string[]; readonly state: string }

/** A line with the ids and the codec's text, made shorter: no second escaping of what may be large. */
export const wrapSnapshot = ({ recentCommands, state }: SnapshotEnvelope): string =>
  VERSION + shortened(`${JSON.stringify(recentCommands)}\n${state}`)

const VERSION = '1'

export const unwrapSnapshot = (stored: string): SnapshotEnvelope => {
  if (!stored.startsWith(VERSION)) throw new Error('a snapshot begins with its version, which is 1')
  const text = lengthened(stored.slice(VERSION.length))
  const end = text.indexOf('\n')
  const recentCommands: unknown = JSON.parse(end < 0 ? text : text.slice(0, end))
  if (end < 0 || !areIds(recentCommands)) throw new Error('a snapshot begins with a line of command ids')
  return { recentCommands, state: text.slice(end + 1) }
}

const areIds = (ids: unknown): ids is readonly string[] =>
  Array.isArray(ids) && ids.every((id) => typeof id === 'string')
