import type { Shard } from '../api/generated/operations.ts'
import { counted, fill, numberText, texts } from '../texts/texts.ts'

const said = texts.cluster
const COLOURS = 8

const hex = (number: number): string => number.toString(16).padStart(2, '0')

/** How many shards each node serves, in words for whoever does not see the picture. */
const ownersOf = (shards: readonly Shard[]): ReadonlyMap<string | null, number> => {
  const owners = new Map<string | null, number>()
  for (const { owner } of shards) owners.set(owner, (owners.get(owner) ?? 0) + 1)
  return new Map([...owners].toSorted(([one], [other]) => (one ?? '~').localeCompare(other ?? '~')))
}

/** 16 by 16 cells, one for each shard, in the colour of the node that serves it; what moves or is behind stands out. */
export const ShardMap = ({ shards }: { readonly shards: readonly Shard[] }) => {
  const owners = ownersOf(shards)
  const names = [...owners.keys()].filter((name) => name !== null)
  const classOf = ({ owner, moving, eventsBehind }: Shard): string =>
    [
      'shard',
      owner === null ? 'ownerless' : `owner-${names.indexOf(owner) % COLOURS}`,
      moving && 'moving',
      eventsBehind > 0 && 'behind',
    ]
      .filter(Boolean)
      .join(' ')
  const moving = shards.filter((shard) => shard.moving).length
  const summary = [...owners].map(([name, count]) =>
    fill(said.serves, { node: name ?? said.nobody, count: numberText(count) }),
  )
  return (
    <section class="card stack">
      <h2>{said.map}</h2>
      <div class="shards" role="img" aria-label={[...summary, counted(said.moving, moving)].join(', ')}>
        {shards.map((shard) => (
          <span key={shard.number} class={classOf(shard)} title={titleOf(shard)} />
        ))}
      </div>
      <ul class="row">
        {[...owners].map(([name, count]) => (
          <li key={name} class="row small">
            <span
              class={name === null ? 'shard ownerless' : `shard owner-${names.indexOf(name) % COLOURS}`}
              aria-hidden="true"
            />
            {fill(said.serves, { node: name ?? said.nobody, count: numberText(count) })}
          </li>
        ))}
      </ul>
      <p class="quiet small">{said.mapHint}</p>
    </section>
  )
}

const titleOf = ({ number, owner, desired, moving, pinned, load, eventsBehind }: Shard): string =>
  [
    fill(said.shard, { number: hex(number), owner: owner ?? said.nobody }),
    moving && fill(said.movesTo, { node: desired ?? said.nobody }),
    pinned && said.pinned,
    load && fill(said.events, { events: numberText(load.eventsPerSecond) }),
    eventsBehind > 0 && fill(said.behind, { count: numberText(eventsBehind) }),
  ]
    .filter(Boolean)
    .join(' · ')
