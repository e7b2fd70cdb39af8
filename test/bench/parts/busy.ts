// Runs in a process of its own, see ../process.test.ts.

export function word(): string | undefined {
  return process.env['BUSY_WORD']
}

export function sum(left: number, right: number): number {
  return left + right
}

export function spin(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

export function fail(): never {
  throw new Error('out of fuel')
}

export function die(): never {
  process.exit(3)
}
