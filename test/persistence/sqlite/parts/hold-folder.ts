// Takes a data folder, says so, and stays.
import { lockDataFolder } from '../../../../src/persistence/sqlite/folder-lock.ts'

lockDataFolder(process.argv[2] ?? '')
process.stdout.write('held\n')
setInterval(() => {}, 60_000)
