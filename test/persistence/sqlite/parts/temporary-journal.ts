import { join } from 'node:path'
import type { Database } from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { openForWriting } from '../../../../src/persistence/sqlite/database.ts'
import {
  type PackedSlot,
  SlotPacker,
  unpackSlots,
} from '../../../../src/persistence/sqlite/slot-file/packed-slots.ts'
import type { LogSlot } from '../../../../src/persistence/store-port.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'

export const journalIn = (folder: string): string => join(folder, 'journal.db')

/** The journal file of a folder, closed after the test. */
export const openJournal = (folder = temporaryFolder('journal')): Database => {
  const database = openForWriting(journalIn(folder))
  onTestFinished(() => void database.close())
  return database
}

export const packedSlots = (...slots: readonly LogSlot[]): readonly PackedSlot[] => {
  const packer = new SlotPacker()
  for (const slot of slots) packer.add(slot)
  return unpackSlots(packer.take())
}
