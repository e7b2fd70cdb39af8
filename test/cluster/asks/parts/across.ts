import { deepStrictEqual } from 'node:assert/strict'
import { RoutedActors } from '../../../../src/cluster/asks/routed-actors.ts'
import { askDefaults } from '../../../../src/cluster/asks/settings.ts'
import type { KindTypes } from '../../../../src/domain/decider.ts'
import { kindOf, SHARD_COUNT } from '../../../../src/domain/references.ts'
import type { Actors, LocalActors, Removals } from '../../../../src/ports/actors.ts'
import type { LinkHandler, NodeLink } from '../../../../src/ports/node-link.ts'
import type { ShardMapView } from '../../../../src/ports/shard-map.ts'
import type { Through } from '../../../compose/service-on-memory.ts'

type AnyActors = Actors & Removals

const everyShardAt = (node: string): ShardMapView => {
  const places = Array.from({ length: SHARD_COUNT }, () => ({ owner: node, desired: node, pinned: false }))
  const map = { version: 1, frozen: false, places }
  return {
    current: () => map,
    ownerOf: () => node,
    refreshed: () => Promise.resolve(map),
    onChange: () => () => undefined,
  }
}

/** A node without actors of its own, all of whose asks cross to the node of the host and back, as the bytes of frames. */
export const acrossNodes =
  (seen: Set<string>): Through =>
  (host, runtime) => {
    const answer = { asks: null as LinkHandler | null }
    const linkOf = (self: string): NodeLink => ({
      handle: (_, handler) => {
        if (self === 'back') answer.asks = handler
      },
      request: async (_node, _service, body) => {
        await Promise.resolve()
        if (answer.asks === null) throw new Error('nobody answers yet')
        return Uint8Array.from(await answer.asks(Uint8Array.from(body), self, 5_000))
      },
      onPeer: () => () => undefined,
      peers: () => [],
    })
    const report = ({ error }: { readonly error: unknown }): never => {
      throw error as Error
    }
    const common = { map: everyShardAt('back'), runtime, settings: askDefaults, report }
    const faithfulHost = faithful(host, seen)
    const local: LocalActors = {
      ...faithfulHost,
      askHere: faithfulHost.ask.bind(faithfulHost),
      takes: host.takes.bind(host),
    }
    const nowhere: LocalActors = { ...local, takes: () => false }
    void new RoutedActors({ ...common, self: 'back', local, link: linkOf('back') })
    return faithful(
      new RoutedActors({ ...common, self: 'front', local: nowhere, link: linkOf('front') }),
      seen,
    )
  }

/** Demands of everything that passes that it is the same after it was JSON. */
const faithful = (actors: AnyActors, seen: Set<string>): AnyActors => {
  const same = <Value>(value: Value): Value => {
    deepStrictEqual(JSON.parse(JSON.stringify(value)), value)
    return value
  }
  const saw = (verb: string, actor: string): void => void seen.add(`${verb} ${kindOf(actor)}`)
  const any = actors as unknown as {
    ask(to: string, command: unknown, options: unknown): Promise<unknown>
    read(from: string, options?: unknown): unknown
    askAtomically(members: readonly { to: string; command: unknown }[], options: unknown): Promise<unknown>
  }
  return {
    ask: async (to: string, command: unknown, options: unknown) => {
      saw('ask', to)
      return same(await any.ask(to, same(command), options))
    },
    read: async (from: string, options: unknown) => {
      saw('read', from)
      return same(await any.read(from, options))
    },
    askAtomically: async (
      members: readonly { to: string; command: KindTypes['command'] }[],
      options: unknown,
    ) => {
      for (const { to, command } of members) {
        saw('ask', to)
        same(command)
      }
      return same(await any.askAtomically(members, options))
    },
    remove: (actor: string) => actors.remove(actor),
  } as unknown as AnyActors
}
