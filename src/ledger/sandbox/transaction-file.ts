import { closeSync, existsSync, fsyncSync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { parseExact } from '../exact-json.ts'
import type { Transaction } from './transactions.ts'

/**
 * The pool's transactions on disk, one per line, durable before an answer is sent. A torn last line (from a crash while
 * writing) was never answered and is cut off.
 */
export class TransactionFile implements Disposable {
  readonly #file: number
  #open = true

  private constructor(file: number) {
    this.#file = file
  }

  static open(path: string): { file: TransactionFile; transactions: Transaction[] } {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    const file = openSync(path, 'a', 0o600)
    if (whole.length < text.length) ftruncateSync(file, Buffer.byteLength(whole))
    const transactions = whole
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => parseExact(line) as Transaction)
    return { file: new TransactionFile(file), transactions }
  }

  append(transaction: Transaction): void {
    const line = Buffer.from(`${JSON.stringify(transaction)}\n`)
    for (let at = 0; at < line.length; ) at += writeSync(this.#file, line, at)
    fsyncSync(this.#file)
  }

  [Symbol.dispose](): void {
    if (this.#open) closeSync(this.#file)
    this.#open = false
  }
}
