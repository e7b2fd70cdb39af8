import { afterEach } from 'vitest'
import { AskFailed } from '../../../src/ports/actors.ts'
import { openHost, type TestHost } from './open-host.ts'

/** Hosts that are closed after each test of the file that calls this. */
export const hostsOfThisFile = (): ((...args: Parameters<typeof openHost>) => Promise<TestHost>) => {
  const hosts: TestHost[] = []
  afterEach(async () => {
    await Promise.all(hosts.splice(0).map(({ host }) => host[Symbol.asyncDispose]()))
  })
  return async (...args) => {
    const opened = await openHost(...args)
    hosts.push(opened)
    return opened
  }
}

/** The code a caller would see, or what else came of it. */
export const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof AskFailed ? error.code : (error as Error).name),
  )
