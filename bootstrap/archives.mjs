// @ts-check
import { gunzipSync, inflateRawSync } from 'node:zlib'

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const STORED = 0
const DEFLATED = 8

/** @typedef {{ name: string, executable: boolean, read: () => Buffer }} ArchiveEntry */

/**
 * The files of a zip (a Python wheel is one). Wheels have no zip64, no encryption and two methods; anything else throws.
 * @param {Buffer} zip
 * @returns {ArchiveEntry[]}
 */
export const zipEntries = (zip) => {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]))
  if (end < 0 || zip.readUInt32LE(end) !== END_OF_DIRECTORY) throw new Error('the file is not a zip archive')
  const count = zip.readUInt16LE(end + 10)
  const entries = []
  let at = zip.readUInt32LE(end + 16)
  for (let index = 0; index < count; index += 1) {
    if (zip.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw new Error('the directory of the zip archive is damaged')
    const nameLength = zip.readUInt16LE(at + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength)
    const position = at
    const mode = zip.readUInt32LE(at + 38) >>> 16
    if (!name.endsWith('/'))
      entries.push({ name, executable: (mode & 0o111) !== 0, read: () => readEntry(zip, position) })
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
  return entries
}

/** @param {Buffer} zip @param {number} directoryAt */
const readEntry = (zip, directoryAt) => {
  const method = zip.readUInt16LE(directoryAt + 10)
  const packed = zip.readUInt32LE(directoryAt + 20)
  const local = zip.readUInt32LE(directoryAt + 42)
  const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
  const bytes = zip.subarray(begin, begin + packed)
  if (method === STORED) return Buffer.from(bytes)
  if (method === DEFLATED) return inflateRawSync(bytes)
  throw new Error(`the zip archive uses the unknown method ${method}`)
}

/**
 * The bytes of the plain file with this last name in a .tar.gz, or null.
 * @param {Buffer} archive
 * @param {string} fileName
 */
export const fileInTarGz = (archive, fileName) => {
  const tar = gunzipSync(archive)
  for (let at = 0; at + 512 <= tar.length; ) {
    const name = tar.toString('utf8', at, at + 100).split('\0')[0] ?? ''
    if (name === '') return null
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8)
    const isFile = ['0', '\0'].includes(tar.toString('latin1', at + 156, at + 157))
    if (isFile && name.split('/').at(-1) === fileName) return tar.subarray(at + 512, at + 512 + size)
    at += 512 + Math.ceil(size / 512) * 512
  }
  return null
}
