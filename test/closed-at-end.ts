import { onTestFinished } from 'vitest'

/**
 * What a test has opened is closed when the test is over, the last one first. The slow suites are loaded by Node 22, which does
 * not know `using`.
 */
export const closedAtEnd = <Opened extends AsyncDisposable | Disposable>(opened: Opened): Opened => {
  onTestFinished(async () => {
    if (Symbol.asyncDispose in opened) await opened[Symbol.asyncDispose]()
    else opened[Symbol.dispose]()
  })
  return opened
}
