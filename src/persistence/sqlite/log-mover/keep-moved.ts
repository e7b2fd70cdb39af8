/** Much less is written meanwhile than what the writer would begin to move itself. */
const LOOK_MS = 100

export type Mover = AsyncDisposable & { readonly move: () => Promise<void> }

export type KeptMoved = AsyncDisposable & { readonly written: () => void }

/** Has the log looked at soon after something was written, and not at all while nothing is. */
export const keepMoved = (open: () => Promise<Mover>): KeptMoved => {
  let mover: Mover | null = null
  let timer: NodeJS.Timeout | null = null
  let moving: Promise<void> | null = null
  let isClosed = false
  const look = (): void => {
    timer = null
    // A log that cannot be moved now is looked at after the next write; until then the writer moves it.
    moving = move().then(moved, moved)
  }
  const move = async (): Promise<void> => {
    mover ??= await open()
    await (isClosed ? mover[Symbol.asyncDispose]() : mover.move())
  }
  const moved = (): void => {
    moving = null
  }
  return {
    written: () => {
      if (timer === null && moving === null && !isClosed) timer = setTimeout(look, LOOK_MS).unref()
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      // A mover that died ends its move only when it is closed; one that is being opened closes itself.
      await (mover === null ? moving : mover[Symbol.asyncDispose]())
    },
  }
}
