import { askById } from '../host/parts/ask-by-id.ts'
import type { AnyActorDefinition } from '../../src/host/definition.ts'
import type { HostFault } from '../../src/host/faults.ts'
import type { Actors } from '../../src/ports/actors.ts'
import type { Runtime } from '../../src/ports/runtime.ts'
import { actorsOf } from '../host/parts/actors-that.ts'
import { MemoryBodies } from '../host/parts/memory-bodies.ts'
import { MemoryJournal } from '../host/parts/memory-journal.ts'
import { MemoryVault } from '../host/parts/memory-vault.ts'
import { openHost, type TestHost } from '../host/parts/open-host.ts'
import { testRuntime } from '../host/parts/test-runtime.ts'

type Parts = {
  readonly actors: Actors
  readonly runtime: Runtime
  readonly vault: MemoryVault
  readonly bodies: MemoryBodies
}

/** Some kinds of actors on a real host in memory, which can be restarted and killed. */
export const kindsOnHost = async (definitionsOf: (parts: Parts) => readonly AnyActorDefinition[]) => {
  const runtime = testRuntime()
  const journal = new MemoryJournal()
  const vault = new MemoryVault()
  const bodies = new MemoryBodies()
  const faults: HostFault[] = []
  let host: TestHost
  const actors = actorsOf(() => host.host)
  const open = async (): Promise<void> => {
    const definitions = definitionsOf({ actors, runtime, vault, bodies })
    host = await openHost(journal, { definitions, vault, bodies, runtime })
  }
  await open()
  const close = () => host.host[Symbol.asyncDispose]()
  let asked = 0
  return {
    runtime,
    journal,
    vault,
    bodies,
    actors,
    faults: () => [...faults, ...host.faults],
    askAs:
      (tenant: string | null) =>
      <Reply = Record<string, Record<string, unknown>>>(
        actor: string,
        command: object,
        commandId = `test-${++asked}`,
      ) =>
        askById<Reply>(actors, actor, command, { commandId, timeoutMs: 5_000, tenant }),
    restart: async (): Promise<void> => {
      await close()
      await open()
    },
    /** As after a kill: what ran is cut off, nothing is finished. */
    crash: async (): Promise<void> => {
      journal.opened.get(0)?.lose('fenced')
      faults.push(...host.faults)
      const old = host
      await open()
      await old.host[Symbol.asyncDispose]()
    },
    close,
  }
}
