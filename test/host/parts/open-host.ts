import { askById } from './ask-by-id.ts'
import { defaultHostLimits, type HostLimits } from '../../../src/host/host-limits.ts'
import { Host, type HostOptions } from '../../../src/host/host.ts'
import type { HostFault } from '../../../src/host/faults.ts'
import type { AnyActorDefinition } from '../../../src/host/definition.ts'
import { noRests, type Rests } from '../../../src/host/rests.ts'
import type { BodyStore } from '../../../src/ports/bodies.ts'
import type { CopiesElsewhere } from '../../../src/ports/hot-facts.ts'
import type { Journal } from '../../../src/ports/journal.ts'
import { createRuntime } from '../../../src/host/runtime.ts'
import type { Runtime } from '../../../src/ports/runtime.ts'
import type { Vault } from '../../../src/ports/vault.ts'
import { type AccountCommand, type AccountReply, accountDefinition } from './account.ts'

export type TestHost = {
  readonly host: Host
  readonly faults: HostFault[]
  readonly lost: number[]
  readonly ask: (
    actor: string,
    command: AccountCommand,
    commandId?: string,
    tenant?: string | null,
  ) => Promise<AccountReply>
}

let asked = 0

/** A host over one open shard (0) unless told otherwise. */
export const openHost = async (
  journal: Journal,
  options: {
    readonly definitions?: readonly AnyActorDefinition[]
    readonly limits?: Partial<HostLimits>
    readonly shards?: readonly number[]
    readonly vault?: Vault
    readonly bodies?: BodyStore
    readonly runtime?: Runtime
    readonly timeoutMs?: number
    readonly rests?: Rests
    readonly copies?: CopiesElsewhere
    readonly reach?: HostOptions['reach']
  } = {},
): Promise<TestHost> => {
  const faults: HostFault[] = []
  const lost: number[] = []
  const host = new Host({
    journal,
    vault: options.vault ?? null,
    bodies: options.bodies ?? null,
    runtime: options.runtime ?? createRuntime(),
    ...(options.reach && { reach: options.reach }),
    ...(options.rests && { rests: () => options.rests ?? noRests }),
    definitions: () => options.definitions ?? [accountDefinition()],
    copies: options.copies ?? null,
    limits: { ...defaultHostLimits, drainMs: 1_000, ...options.limits },
    report: (fault) => faults.push(fault),
    shardLost: (shard) => lost.push(shard),
  })
  for (const shard of options.shards ?? [0]) await host.open(shard)
  return {
    host,
    faults,
    lost,
    ask: (actor, command, commandId = `ask-${++asked}`, tenant = null) =>
      askById<AccountReply>(host, actor, command, {
        commandId,
        tenant,
        timeoutMs: options.timeoutMs ?? 5_000,
      }),
  }
}
