/** One message of a stream of server-sent events. */
export type Message = { readonly id: string | null; readonly event: string; readonly data: string }

/** More than any message of the service has: an event has 256 KB at most. */
const MESSAGE_CHARACTERS_MAX = 2_097_152

/** Reads `text/event-stream` as it comes, cut anywhere. */
export class MessageParser {
  /** How long the other side wants a client to wait before it comes back; null as long as it has not said so. */
  retryMs: number | null = null
  #rest = ''
  #id: string | null = null
  #event = ''
  #data: string[] = []
  #characters = 0

  take(text: string): readonly Message[] {
    const lines = (this.#rest + text).split('\n')
    this.#rest = lines.pop() ?? ''
    const messages = lines.flatMap((line) => this.#line(line.endsWith('\r') ? line.slice(0, -1) : line))
    if (this.#characters + this.#rest.length > MESSAGE_CHARACTERS_MAX)
      throw new RangeError('The stream has a message that is too long.')
    return messages
  }

  #line(line: string): readonly Message[] {
    if (line === '') return this.#end()
    const at = line.indexOf(':')
    // A comment: the other side shows that it is there.
    if (at === 0) return []
    const name = at < 0 ? line : line.slice(0, at)
    const value = at < 0 ? '' : line.slice(at + 1).replace(/^ /, '')
    // Lines without a word in them take room as well.
    this.#characters += line.length + 1
    if (name === 'id') this.#id = value
    else if (name === 'event') this.#event = value
    else if (name === 'data') this.#data.push(value)
    else if (name === 'retry' && /^\d{1,7}$/.test(value)) this.retryMs = Number(value)
    return []
  }

  #end(): readonly Message[] {
    const message = { id: this.#id, event: this.#event, data: this.#data.join('\n') }
    const isThere = this.#data.length > 0
    this.#id = null
    this.#event = ''
    this.#data = []
    this.#characters = 0
    return isThere ? [message] : []
  }
}
