import type { Happening, World } from './world.ts'

/**
 * Host and mailboxes put work off with setImmediate. While a schedule runs, that is the next happening of the process
 * whose code runs: it dies with the process and waits while the process is frozen.
 */
export const withVirtualImmediates = async <Result>(
  world: World,
  work: () => Promise<Result>,
): Promise<Result> => {
  const real = { setImmediate: globalThis.setImmediate, clearImmediate: globalThis.clearImmediate }
  const set = (callback: (...given: unknown[]) => void, ...given: unknown[]): Happening => {
    const process = world.current
    return world.at(0, process, () => callback(...given))
  }
  const clear = (happening: Happening | undefined): void => {
    if (happening !== undefined) happening.cancelled = true
  }
  Object.assign(globalThis, { setImmediate: set, clearImmediate: clear })
  try {
    return await work()
  } finally {
    Object.assign(globalThis, real)
  }
}
