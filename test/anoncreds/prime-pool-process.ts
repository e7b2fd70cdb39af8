import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { loadNative } from '../../src/anoncreds/native-binary.ts'

// Without /proc, what the system counts as file writes.
const hasProc = existsSync('/proc/self/io')

const writtenBytes = (): number => (hasProc ? writtenByProc() : process.resourceUsage().fsWrite)

const writtenByProc = (): number => Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

const openFiles = (): string[] =>
  (hasProc ? readdirSync('/proc/self/fd') : []).flatMap((descriptor) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${descriptor}`)
      return target.startsWith('/') && !target.startsWith('/dev/') && !target.startsWith('/proc/')
        ? [target]
        : []
    } catch {
      // The folder's own descriptor is closed again.
      return []
    }
  })

const addon = loadNative()
const atStart = addon.primePoolSize()
const filesBefore = new Set(openFiles())
// The reads themselves are warmed up, so that only the filling lies between the two counts.
writtenBytes()
const before = writtenBytes()
const filled = addon.fillPrimePool(40)
const report = {
  atStart,
  filled,
  writtenBytes: writtenBytes() - before,
  opened: openFiles().filter((file) => !filesBefore.has(file)),
}
process.send?.(report, () => process.disconnect())
