import { shardOf } from '../../domain/references.ts'
import { parseJson, textOfFrame } from './json-text.ts'

/**
 * One ask as it goes to another node. Command, reply and views of every kind are JSON (`src/domain/crossing.ts`). Nodes of
 * an older release leave `mayLinger` out, and pass it over.
 */
export type AskRequest =
  | readonly [
      'ask',
      actor: string,
      command: unknown,
      commandId: string,
      tenant: string | null,
      mayLinger?: boolean,
    ]
  | readonly ['read', actor: string, view: string, tenant: string | null, mayLoad: boolean]
  | readonly [
      'together',
      members: readonly (readonly [actor: string, command: unknown])[],
      commandId: string,
      tenant: string | null,
      mayLinger?: boolean,
    ]
  | readonly ['remove', actor: string]
  /** Nothing but whether the node serves the shard now. */
  | readonly ['look', shard: number]

export type ReceivedAsk = {
  readonly request: AskRequest
  /** Null where no actor can have the id. */
  readonly shard: number | null
  readonly timeoutMs: number
  /** The version of the map by which the node was asked. */
  readonly mapVersion: number
}

/** What differs from try to try stands before the text, so that the text is made once. */
export const requestFrame = (text: string, timeoutMs: number, mapVersion: number): Uint8Array =>
  Buffer.from(`${Math.max(1, Math.ceil(timeoutMs))} ${mapVersion}\n${text}`)

export const textOf = (request: AskRequest): string => JSON.stringify(request)

const HEAD = /^(\d{1,15}) (\d{1,15})$/

/** Throws on what no node of ours sends. */
export const readRequest = (frame: Uint8Array): ReceivedAsk => {
  const text = textOfFrame(frame)
  const end = text.indexOf('\n')
  const head = HEAD.exec(text.slice(0, Math.max(end, 0)))
  if (head === null) throw new SyntaxError('an ask has no head')
  const request = parseJson(text.slice(end + 1)) as AskRequest
  return { request, shard: shardOfRequest(request), timeoutMs: Number(head[1]), mapVersion: Number(head[2]) }
}

const shardOfRequest = (request: AskRequest): number | null => {
  switch (request[0]) {
    case 'ask':
    case 'read':
    case 'remove':
      return shardOf(request[1])
    case 'together':
      return shardOf(request[1][0]?.[0] ?? '')
    case 'look':
      return request[1]
    default:
      throw new SyntaxError('an ask of a kind that this version does not know')
  }
}
