import { shardOf } from '../../../src/domain/references.ts'
import { readRequest } from '../../../src/cluster/asks/request.ts'
import type { LocalActors } from '../../../src/ports/actors.ts'
import type { NodeLink } from '../../../src/ports/node-link.ts'
import type { ShardMapView } from '../../../src/ports/shard-map.ts'
import { instead } from '../instead.ts'
import type { Truth } from '../truth.ts'
import { Violation, type World } from '../world.ts'

type Owner = () => string | null
type Any = (...given: readonly unknown[]) => unknown

/**
 * Stands before the host and the link of each process: who answers must own the shard at that moment, and nothing is
 * sent to a node that has never served it and that the map does not name as its owner.
 */
export class Witness {
  readonly #world: World
  readonly #truth: Truth
  readonly #servedBy = new Set<string>()

  constructor(world: World, truth: Truth) {
    this.#world = world
    this.#truth = truth
  }

  over(local: LocalActors, owner: Owner): LocalActors {
    const seen = (verb: 'askHere' | 'read' | 'askAtomically', actorOf: (first: unknown) => string): Any => {
      const ask = (local[verb] as Any).bind(local)
      return (...given) => {
        const answer = ask(...given)
        if (!(answer instanceof Promise)) {
          this.#check(actorOf(given[0]), owner())
          return answer
        }
        return answer.then((reply: unknown) => {
          this.#check(actorOf(given[0]), owner())
          return reply
        })
      }
    }
    return {
      // Goes on elsewhere by itself where the shard is lost.
      ask: local.ask.bind(local),
      askHere: seen('askHere', String),
      read: seen('read', String),
      askAtomically: seen('askAtomically', (members) => (members as readonly { to: string }[])[0]?.to ?? ''),
      remove: (actor: string) => local.remove(actor),
      takes: (shard: number) => local.takes(shard),
    } as unknown as LocalActors
  }

  opened(shard: number, node: string): void {
    this.#servedBy.add(`${shard} ${node}`)
  }

  overLink(link: NodeLink, map: Pick<ShardMapView, 'current'>): NodeLink {
    return instead(link, {
      request: (node, service, body, options) => {
        const { shard, request } = readRequest(body)
        const isOwner = map.current().places[shard ?? -1]?.owner === node
        if (request[0] !== 'look' && !isOwner && !this.#servedBy.has(`${shard} ${node}`))
          this.#world.fail(
            new Violation(`asks of shard ${shard} are let go to ${node}, which has not opened it`),
          )
        return link.request(node, service, body, options)
      },
    })
  }

  #check(actor: string, owner: string | null): void {
    const inLog = this.#truth.ownerOf(shardOf(actor) ?? 0)
    if (owner !== inLog)
      this.#world.fail(new Violation(`${owner ?? 'nobody'} answers for ${actor}, whose shard is ${inLog}'s`))
  }
}
