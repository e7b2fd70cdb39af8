import type { Node } from '../api/generated/operations.ts'
import { type Column, Table } from '../parts/table.tsx'
import { StateBadge } from '../parts/badge.tsx'
import { Notice, ProblemNotice } from '../parts/notice.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { DangerButton } from '../records/danger-button.tsx'
import { useAnswer } from '../state/use-answer.ts'
import { decimalText, fill, numberText, texts, wordsOf } from '../texts/texts.ts'
import { ShardMap } from './shard-map.tsx'
import { ShardMoves } from './shard-moves.tsx'
import { useShards } from './use-shards.ts'

const said = texts.cluster
const EVERY_MS = 5_000

const columnsFor = (isCluster: boolean, onChange: () => void): readonly Column<Node>[] => [
  {
    title: said.node,
    cell: ({ id, current, address }) => (
      <>
        {id}
        {current && <span class="quiet small"> {said.answers}</span>}
        <div class="quiet small">{address}</div>
      </>
    ),
  },
  {
    title: texts.records.state,
    cell: ({ status, part }) => (
      <>
        <StateBadge state={status} />
        {part !== null && <div class="quiet small">{wordsOf(said.parts, part)}</div>}
      </>
    ),
  },
  {
    title: said.shards,
    cell: ({ shards, shardsToCome }) =>
      shardsToCome === 0
        ? numberText(shards)
        : fill(said.shardsToCome, { shards: numberText(shards), coming: numberText(shardsToCome) }),
  },
  { title: said.load, cell: (node) => (node.load === null ? '–' : decimalText(node.load)), look: 'tight' },
  {
    title: said.link,
    cell: ({ link }) => (link === null ? '–' : wordsOf(said.links, link.state)),
    look: 'tight',
  },
  ...(isCluster
    ? [
        {
          title: said.orders,
          cell: ({ id, part }: Node) =>
            part === 'drained' ? (
              <DangerButton
                operation="letNodeTakePart"
                takes={{ path: { id } }}
                said={said.takePart}
                look="main"
                isSmall
                onDone={onChange}
              />
            ) : (
              <DangerButton
                operation="drainNode"
                takes={{ path: { id } }}
                said={said.drain}
                isSmall
                onDone={onChange}
              />
            ),
        },
      ]
    : []),
]

/** Who serves what: the nodes, the 256 shards as a picture, and what moves. */
export const ClusterPage = () => {
  const { body, problem, again } = useAnswer('listNodes', { query: { pageSize: 100 } }, { everyMs: EVERY_MS })
  const shards = useShards(EVERY_MS)
  const isCluster = (body?.total ?? 0) > 1
  return (
    <>
      <PageHead title={texts.pages.cluster} lead={said.lead} />
      <ProblemNotice problem={problem} />
      {body !== null && !isCluster && (
        <Notice>
          <p>{said.alone}</p>
        </Notice>
      )}
      {body && (
        <Table
          label={said.nodes}
          columns={columnsFor(isCluster, again)}
          items={body.items}
          keyOf={({ id }) => id}
        />
      )}
      <div class="two">
        <ShardMap shards={shards} />
        {isCluster && <ShardMoves everyMs={EVERY_MS} />}
      </div>
    </>
  )
}
