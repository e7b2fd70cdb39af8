import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

/** The size of a page of the file system, so that overwriting a cell reads nothing. */
export const CELL_BYTES = 4_096
const HEAD_BYTES = 128
const CONTENT_BYTES = CELL_BYTES - HEAD_BYTES
const NAME_AT = 24
const NAME_BYTES_MAX = HEAD_BYTES - NAME_AT
const USED = 1
const FORMAT = 'vouchsafe bodies 1\n'
const ZERO_CELLS = 64
const ZEROS = Buffer.alloc(ZERO_CELLS * CELL_BYTES)
/** The file shrinks when it has more cells than this and three quarters of them are free. */
const KEPT_CELLS = 1_024

/** Where the bodies of a data folder are. */
export const bodyFile = (folder: string): string => join(folder, 'bodies')

export type StoredBody = readonly [name: string, expiresAtMs: number]

/** Which of how many parts of which body a cell holds. */
type CellHead = {
  readonly name: string
  readonly part: number
  readonly parts: number
  readonly bytes: number
  readonly expiresAtMs: number
}

type Body = { readonly cells: readonly number[]; readonly expiresAtMs: number }

/**
 * Sealed texts in cells of a file, each overwritten in place: with zeros when it is deleted. There is no log and nothing
 * is ever moved, so what was deleted is nowhere. A body that was not written whole before a crash is none: no event
 * names it, and opening the file overwrites what there is of it. Every change is durable after `sync`.
 */
export class BodyFile implements Disposable {
  readonly #file: number
  readonly #bodies = new Map<string, Body>()
  /** 1 for a cell in use; the first is the format's. */
  #used: Uint8Array
  #usedCount = 1
  #isChanged = false

  private constructor(file: number) {
    this.#file = file
    this.#used = new Uint8Array(Math.max(KEPT_CELLS, Math.ceil(fstatSync(file).size / CELL_BYTES)))
    this.#used[0] = USED
  }

  static open(path: string): BodyFile {
    const file = openSync(path, 'a', 0o600)
    closeSync(file)
    const opened = new BodyFile(openSync(path, 'r+'))
    try {
      opened.#begin(path)
      return opened
    } catch (error) {
      opened[Symbol.dispose]()
      throw error
    }
  }

  list(): StoredBody[] {
    return [...this.#bodies].map(([name, { expiresAtMs }]) => [name, expiresAtMs])
  }

  put(name: string, text: string, expiresAtMs: number): void {
    if (name.length > NAME_BYTES_MAX) throw new RangeError('the name of the body is too long')
    this.delete(name)
    const parts = Math.max(1, Math.ceil(text.length / CONTENT_BYTES))
    const cells = this.#freeCells(parts)
    const bytes = Buffer.alloc(parts * CELL_BYTES)
    for (let part = 0; part < parts; part++) {
      const at = part * CELL_BYTES
      const content = text.slice(part * CONTENT_BYTES, (part + 1) * CONTENT_BYTES)
      writeHead(bytes, at, { name, part, parts, bytes: content.length, expiresAtMs })
      bytes.write(content, at + HEAD_BYTES, 'latin1')
    }
    this.#isChanged = true
    try {
      this.#write(cells, bytes)
    } catch (error) {
      this.#overwriteWhatIsThere(cells)
      throw error
    }
    for (const cell of cells) this.#used[cell] = USED
    this.#usedCount += parts
    this.#bodies.set(name, { cells, expiresAtMs })
  }

  get(name: string): string | null {
    const body = this.#bodies.get(name)
    if (body === undefined) return null
    const cell = Buffer.allocUnsafe(CELL_BYTES)
    let text = ''
    for (const [part, number] of body.cells.entries()) {
      readSync(this.#file, cell, 0, CELL_BYTES, number * CELL_BYTES)
      const head = readHead(cell)
      if (head?.name !== name || head.part !== part) throw new Error('a body is not where it was written')
      text += cell.toString('latin1', HEAD_BYTES, HEAD_BYTES + head.bytes)
    }
    return text
  }

  delete(name: string): void {
    const body = this.#bodies.get(name)
    if (body === undefined) return
    this.#isChanged = true
    this.#write(body.cells, null)
    for (const cell of body.cells) this.#used[cell] = 0
    this.#usedCount -= body.cells.length
    this.#bodies.delete(name)
  }

  sync(): void {
    if (!this.#isChanged) return
    fdatasyncSync(this.#file)
    this.#isChanged = false
    // Only now: a block that is cut off before its zeros reached the disk would keep what was in it.
    this.#shrink()
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
  }

  #begin(path: string): void {
    const bytes = Buffer.alloc(CELL_BYTES)
    if (fstatSync(this.#file).size < CELL_BYTES) {
      bytes.write(FORMAT, 'latin1')
      this.#write([0], bytes)
      fsyncSync(this.#file)
      const folder = openSync(dirname(path), 'r')
      fsyncSync(folder)
      closeSync(folder)
      return
    }
    readSync(this.#file, bytes, 0, CELL_BYTES, 0)
    if (bytes.toString('latin1', 0, FORMAT.length) !== FORMAT)
      throw new Error(
        `${path} is no file of bodies that this release knows: start the release that wrote it.`,
      )
    this.#readCells()
  }

  #readCells(): void {
    const count = Math.ceil(fstatSync(this.#file).size / CELL_BYTES)
    const found = new Map<string, { readonly head: CellHead; readonly cells: number[] }>()
    const bytes = Buffer.alloc(HEAD_BYTES)
    const garbage: number[] = []
    for (let cell = 1; cell < count; cell++) {
      bytes.fill(0)
      readSync(this.#file, bytes, 0, HEAD_BYTES, cell * CELL_BYTES)
      if (bytes[0] === 0) continue
      const head = readHead(bytes)
      const body = head === null ? undefined : (found.get(head.name) ?? { head, cells: [] })
      if (head === null || body === undefined || body.cells[head.part] !== undefined) garbage.push(cell)
      else {
        body.cells[head.part] = cell
        found.set(head.name, body)
      }
    }
    for (const [name, { head, cells }] of found) {
      const there = cells.filter((cell) => cell !== undefined)
      if (there.length !== head.parts) garbage.push(...there)
      else {
        for (const cell of there) this.#used[cell] = USED
        this.#usedCount += there.length
        this.#bodies.set(name, { cells: there, expiresAtMs: head.expiresAtMs })
      }
    }
    this.#isChanged = garbage.length > 0
    this.#write(garbage, null)
    this.sync()
  }

  /** The first that are free, so that the end of the file becomes free again. */
  #freeCells(count: number): readonly number[] {
    const cells: number[] = []
    for (let from = 1; cells.length < count; ) {
      const free = this.#used.indexOf(0, from)
      if (free < 0) {
        const more = new Uint8Array(this.#used.length * 2 + count)
        more.set(this.#used)
        this.#used = more
      } else {
        cells.push(free)
        from = free + 1
      }
    }
    return cells
  }

  /** Cells that lie one behind the other are one write. Without bytes they are overwritten with zeros. */
  #write(cells: readonly number[], bytes: Buffer | null): void {
    const cellsMax = bytes === null ? ZERO_CELLS : cells.length
    let first = 0
    for (const [index, cell] of cells.entries()) {
      const count = index + 1 - first
      if (cells[index + 1] === cell + 1 && count < cellsMax) continue
      const at = (cell + 1 - count) * CELL_BYTES
      const offset = bytes === null ? 0 : first * CELL_BYTES
      writeWhole(this.#file, bytes ?? ZEROS, offset, count * CELL_BYTES, at)
      first = index + 1
    }
  }

  /** The disk was full in the middle of a body. */
  #overwriteWhatIsThere(cells: readonly number[]): void {
    const end = Math.ceil(fstatSync(this.#file).size / CELL_BYTES)
    this.#write(
      cells.filter((cell) => cell < end - 1),
      null,
    )
    if (cells.includes(end - 1)) ftruncateSync(this.#file, (end - 1) * CELL_BYTES)
  }

  #shrink(): void {
    const size = Math.ceil(fstatSync(this.#file).size / CELL_BYTES)
    if (size <= KEPT_CELLS || this.#usedCount > size / 4) return
    const end = Math.max(KEPT_CELLS, this.#used.lastIndexOf(USED) + 1)
    if (end <= size / 2) ftruncateSync(this.#file, end * CELL_BYTES)
  }
}

const writeWhole = (file: number, bytes: Buffer, offset: number, length: number, at: number): void => {
  for (let done = 0; done < length; ) done += writeSync(file, bytes, offset + done, length - done, at + done)
}

/**
 *   0 used · 1 length of the name · 2 part · 6 parts · 10 bytes of content · 16 end of life · 24 name · 128 content
 */
const writeHead = (bytes: Buffer, at: number, head: CellHead): void => {
  bytes.writeUInt8(USED, at)
  bytes.writeUInt8(head.name.length, at + 1)
  bytes.writeUInt32LE(head.part, at + 2)
  bytes.writeUInt32LE(head.parts, at + 6)
  bytes.writeUInt16LE(head.bytes, at + 10)
  bytes.writeDoubleLE(head.expiresAtMs, at + 16)
  bytes.write(head.name, at + NAME_AT, 'latin1')
}

/** Null for what no body can have written. */
const readHead = (bytes: Buffer): CellHead | null => {
  const nameLength = bytes.readUInt8(1)
  const part = bytes.readUInt32LE(2)
  const parts = bytes.readUInt32LE(6)
  const length = bytes.readUInt16LE(10)
  const isWhole = bytes[0] === USED && nameLength > 0 && nameLength <= NAME_BYTES_MAX
  if (!isWhole || part >= parts || length > CONTENT_BYTES) return null
  const name = bytes.toString('latin1', NAME_AT, NAME_AT + nameLength)
  return { name, part, parts, bytes: length, expiresAtMs: bytes.readDoubleLE(16) }
}

/** Every cell that a body stands in, in the bytes of such a file; none in those of another. */
export function* cellsIn(
  file: Buffer,
): Generator<{ readonly name: string; readonly part: number; readonly content: Buffer }> {
  if (file.toString('latin1', 0, FORMAT.length) !== FORMAT) return
  for (let at = CELL_BYTES; at + HEAD_BYTES <= file.length; at += CELL_BYTES) {
    const head = readHead(file.subarray(at, at + HEAD_BYTES))
    if (head === null) continue
    const { name, part, bytes } = head
    yield { name, part, content: file.subarray(at + HEAD_BYTES, at + HEAD_BYTES + bytes) }
  }
}

/** Also while a service writes: how many bodies there are, and the bytes of their cells. */
export const bodiesInUse = (path: string): { readonly rows: number; readonly bytes: number } => {
  if (!existsSync(path)) return { rows: 0, bytes: 0 }
  const file = openSync(path, 'r')
  try {
    const count = Math.floor(fstatSync(file).size / CELL_BYTES)
    const bytes = Buffer.alloc(HEAD_BYTES)
    let [rows, cells] = [0, 0]
    for (let cell = 1; cell < count; cell++) {
      readSync(file, bytes, 0, HEAD_BYTES, cell * CELL_BYTES)
      const head = bytes[0] === 0 ? null : readHead(bytes)
      if (head === null) continue
      cells++
      if (head.part === 0) rows++
    }
    return { rows, bytes: cells * CELL_BYTES }
  } finally {
    closeSync(file)
  }
}
