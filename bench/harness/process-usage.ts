import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

// Linux counts processor time for user space in these, whatever the kernel's own timer runs at.
const ticksPerSecond = 100

export type ProcessUsage = { readonly cpuMs: number; readonly rssBytes: number }

/**
 * Processor time so far and memory now of any process, for programs that `startProcess` did not start: the whole
 * service, Cassandra. In steps of 10 ms on Linux and, from `ps`, on macOS.
 */
export function usageOf(pid: number): ProcessUsage {
  return process.platform === 'linux' ? usageFromProc(pid) : usageFromPs(pid)
}

export type ChildOf = { readonly pid: number; readonly command: string }

/** The processes that a process has started and that still run. */
export function childrenOf(pid: number): ChildOf[] {
  if (process.platform !== 'linux') return childrenFromPs(pid)
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return []
    try {
      const fields = statFields(Number(entry))
      if (Number(fields[1]) !== pid) return []
      const command = readFileSync(`/proc/${entry}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()
      return [{ pid: Number(entry), command }]
    } catch {
      // It ended while we were looking.
      return []
    }
  })
}

function childrenFromPs(pid: number): ChildOf[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [, child, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return Number(parent) === pid ? [{ pid: Number(child), command: command ?? '' }] : []
  })
}

/** Processor time of the first thread of a process, the one that runs a program's own JavaScript; Linux alone knows it. */
export function mainThreadCpuMs(pid: number): number {
  if (process.platform !== 'linux') return Number.NaN
  return cpuMsIn(statFields(pid, `/proc/${pid}/task/${pid}/stat`))
}

/** From the state on: the second field, the program's name in parentheses, may itself hold spaces and parentheses. */
function statFields(pid: number, file = `/proc/${pid}/stat`): string[] {
  const stat = readFileSync(file, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

function usageFromProc(pid: number): ProcessUsage {
  const fields = statFields(pid)
  const residentKb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { cpuMs: cpuMsIn(fields), rssBytes: Number(residentKb) * 1_024 }
}

const cpuMsIn = (fields: readonly string[]): number =>
  ((Number(fields[11]) + Number(fields[12])) * 1_000) / ticksPerSecond

function usageFromPs(pid: number): ProcessUsage {
  const line = execFileSync('ps', ['-o', 'time=,rss=', '-p', String(pid)], { encoding: 'utf8' })
  const [time = '', residentKb = ''] = line.trim().split(/\s+/)
  const seconds = time.split(':').reduce((total, part) => total * 60 + Number(part), 0)
  return { cpuMs: seconds * 1_000, rssBytes: Number(residentKb) * 1_024 }
}

/** Processor time so far of all threads that a process has now, to the microsecond; Linux alone knows it. */
export function threadsCpuMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const runNs = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  )
  return runNs.reduce((sum, ns) => sum + ns, 0) / 1e6
}
