/** What a snapshot holds beside the state: the command ids, without which a repetition after recovery would be decided a second time. */
export type SnapshotEnvelope = { readonly recentCommands: readonly string[]; readonly state: string }

/** A header line and the codec's text as it is: no second escaping of what may be large. */
export const wrapSnapshot = (envelope: SnapshotEnvelope): string =>
  `${JSON.stringify({ version: 1, recentCommands: envelope.recentCommands })}\n${envelope.state}`

export const unwrapSnapshot = (text: string): SnapshotEnvelope => {
  const end = text.indexOf('\n')
  const header: unknown = JSON.parse(end < 0 ? text : text.slice(0, end))
  if (end < 0 || !isHeader(header)) throw new Error('a snapshot starts with a header line of version 1')
  return { recentCommands: header.recentCommands, state: text.slice(end + 1) }
}

const isHeader = (header: unknown): header is { recentCommands: readonly string[] } =>
  typeof header === 'object' &&
  header !== null &&
  'version' in header &&
  header.version === 1 &&
  'recentCommands' in header &&
  Array.isArray(header.recentCommands) &&
  header.recentCommands.every((id) => typeof id === 'string')
