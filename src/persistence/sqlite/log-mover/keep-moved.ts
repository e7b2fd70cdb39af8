/** So long it rests between two moves; much less is written meanwhile than what the writer would begin to move itself. */
const REST_MS = 100

export type Mover = AsyncDisposable & { readonly move: () => Promise<void> }

export type KeptMoved = AsyncDisposable & { readonly isLong: () => void }

/** Has the log moved soon after the writer says that it is long; until then no thread is woken for it. */
export const keepMoved = (open: () => Promise<Mover>): KeptMoved => {
  let mover: Mover | null = null
  let timer: NodeJS.Timeout | null = null
  let moving: Promise<void> | null = null
  let isClosed = false
  const begin = (): void => {
    timer = null
    // Of a log that cannot be moved now the writer says it again; where that lasts, it moves it itself.
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
    isLong: () => {
      if (timer === null && moving === null && !isClosed) timer = setTimeout(begin, REST_MS).unref()
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      if (timer !== null) clearTimeout(timer)
      // A mover that died ends its move only when it is closed; one that is being opened closes itself.
      await (mover === null ? moving : mover[Symbol.asyncDispose]())
    },
  }
}
