// Runs in a process of its own, see ../process.test.ts.

export function word(): string | undefined {
  return process.env['BUSY_WORD']
}

export function sum(left: number, right: number): number {
  return left + right
}

/** Until the process has spent this much processor time, however much others leave it. */
export function spin(cpuMs: number): void {
  const start = process.cpuUsage()
  for (;;) {
    const spent = process.cpuUsage(start)
    if ((spent.user + spent.system) / 1_000 >= cpuMs) return
  }
}

export function fail(): never {
  throw new Error('out of fuel')
}

export function die(): never {
  process.exit(3)
}
