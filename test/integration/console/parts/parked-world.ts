import { join } from 'node:path'
import { openOn, takeKeyAway } from '../../../compose/parked-world.ts'
import { temporaryFolder } from '../../../temporary-folder.ts'
import { ConsoleWorld } from './console-world.ts'

const ORGANISATION = 'ten_2faaaaaaaa'

/** A service that finds a record which it cannot read: the key of the record was lost before its first start. */
export const worldWithParked = async (
  recordId: string,
): Promise<{ readonly world: ConsoleWorld; readonly stop: () => Promise<void> }> => {
  const data = join(temporaryFolder('console-parked'), 'data')
  const before = await openOn(data, false)
  await before.connect(recordId, ORGANISATION)
  await before.stop()
  takeKeyAway(data, recordId)
  const world = new ConsoleWorld({ VOUCHSAFE_DATA_FOLDER: data })
  await world.start()
  return { world, stop: () => world.stop() }
}
