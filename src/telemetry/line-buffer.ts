import { write, writeSync } from 'node:fs'

/**
 * The size of a block: each block is a call into the thread pool, and waking a thread costs as much as some hundred
 * lines.
 */
const BLOCK_BYTES = 131_072
const BYTES_PER_CHARACTER_MAX = 3
const FLUSH_EVERY_MS = 500
const RETRY_MS = 5
/** A reader of the log that does not keep up costs this much memory, and after that lines are dropped. */
const WAITING_BYTES_MAX = 8_388_608
const FLUSH_SYNC_MS_MAX = 1_000
const IN_FLIGHT_MS_MAX = 50

/**
 * Writes lines to a file descriptor in blocks without ever blocking, so that a reader that stops reading cannot stop
 * the service. Each line becomes bytes at once: thousands of short strings that wait to be joined are work for the
 * garbage collector, and were a tenth of what a read over HTTP cost.
 */
export class LineBuffer implements Disposable {
  readonly #descriptor: number
  readonly #lost: (count: number) => string
  /** Runs only while something waits, so that a service without requests is not woken for its log. */
  #timer: NodeJS.Timeout | null = null
  #block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
  #filled = 0
  /** Closed blocks that wait to be written, the oldest first. */
  readonly #waiting: Buffer[] = []
  #waitingBytes = 0
  #writing: Buffer | null = null
  /** The rest of a block that the descriptor did not take, until the next attempt. */
  #resting: { readonly rest: Buffer; readonly timer: NodeJS.Timeout } | null = null
  #dropped = 0

  /** `lost` makes the line that replaces dropped lines. */
  constructor(descriptor: number, lost: (count: number) => string) {
    this.#descriptor = descriptor
    this.#lost = lost
  }

  write(line: string): void {
    if (this.#waitingBytes > WAITING_BYTES_MAX) this.#dropped += 1
    else {
      this.#reportDropped()
      this.#add(line)
    }
    this.#timer ??= this.#inTime()
  }

  /**
   * Called at the end of the process: writes everything before it returns, unless the reader takes nothing for a whole
   * second.
   */
  flush(): void {
    const resting = this.#resting
    this.#resting = null
    clearTimeout(resting?.timer)
    // A block that a thread is writing cannot be called back; it gets time to arrive, and is not sent twice.
    if (this.#writing !== null && resting === null)
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, IN_FLIGHT_MS_MAX)
    // This keeps other writes from starting.
    this.#writing = Buffer.alloc(0)
    this.#reportDropped()
    this.#close()
    const begun = resting === null ? [] : [resting.rest]
    const rest = Buffer.concat([...begun, ...this.#waiting.splice(0)])
    this.#waitingBytes = 0
    this.#writing = null
    const deadline = performance.now() + FLUSH_SYNC_MS_MAX
    for (let at = 0; at < rest.length && performance.now() < deadline; )
      at += writeSome(this.#descriptor, rest, at)
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.flush()
  }

  #add(line: string): void {
    const bytesMax = line.length * BYTES_PER_CHARACTER_MAX
    if (this.#filled + bytesMax > BLOCK_BYTES) this.#close()
    if (bytesMax > BLOCK_BYTES) this.#enqueue(Buffer.from(line))
    else this.#filled += this.#block.write(line, this.#filled)
  }

  #reportDropped(): void {
    const count = this.#dropped
    this.#dropped = 0
    if (count > 0) this.#add(this.#lost(count))
  }

  #inTime(): NodeJS.Timeout {
    return setTimeout(() => this.#closeIfIdle(), FLUSH_EVERY_MS).unref()
  }

  #closeIfIdle(): void {
    this.#timer = null
    if (this.#writing !== null) {
      this.#timer = this.#inTime()
      return
    }
    this.#reportDropped()
    this.#close()
  }

  #close(): void {
    if (this.#filled === 0) return
    const closed = this.#block.subarray(0, this.#filled)
    this.#block = Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.#filled = 0
    this.#enqueue(closed)
  }

  #enqueue(block: Buffer): void {
    this.#waiting.push(block)
    this.#waitingBytes += block.length
    if (this.#writing === null) this.#writeNext()
  }

  #writeNext(): void {
    const next = this.#waiting.shift()
    if (next === undefined) return
    this.#waitingBytes -= next.length
    this.#writing = next
    this.#continue(next)
  }

  #continue(block: Buffer): void {
    write(this.#descriptor, block, (error, written) => {
      // A flush has taken over the rest of this block.
      if (this.#writing !== block) return
      const rest = error === null ? block.subarray(written) : block
      if (error !== null && error.code !== 'EAGAIN') this.#writing = null
      else if (rest.length === 0) this.#writing = null
      else {
        this.#rest(rest, error === null ? 0 : RETRY_MS)
        return
      }
      this.#writeNext()
    })
  }

  #rest(rest: Buffer, forMs: number): void {
    this.#writing = rest
    const timer = setTimeout(() => {
      this.#resting = null
      this.#continue(rest)
    }, forMs)
    timer.unref()
    this.#resting = { rest, timer }
  }
}

/** A full pipe answers EAGAIN. A broken pipe ends the log, but never the service. */
const writeSome = (descriptor: number, bytes: Buffer, at: number): number => {
  try {
    return writeSync(descriptor, bytes, at)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EAGAIN' ? 0 : bytes.length - at
  }
}
