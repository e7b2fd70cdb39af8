import { Type } from 'typebox'
import type { NodeHealth } from '../../ports/node-health.ts'
import { figureDocs } from '../../telemetry/health-figures.ts'
import { choice, exact, isoTime, momentOrNull, recordOf, words, wordsOrNull } from '../route/fields.ts'
import { defineRoute, reply, type Route } from '../route/route.ts'
import { serviceTags } from '../openapi/tags.ts'

const figuresSchema = Type.Unsafe<Readonly<Record<string, number | null>> | null>({
  description: 'The metrics that matter most, as numbers; null for a node that did not answer.',
  anyOf: [
    {
      type: 'object',
      title: 'NodeFigures',
      additionalProperties: false,
      required: Object.keys(figureDocs),
      properties: Object.fromEntries(
        Object.entries(figureDocs).map(([name, description]) => [
          name,
          { anyOf: [{ type: 'number' }, { type: 'null' }], description, examples: [0] },
        ]),
      ),
    },
    { type: 'null' },
  ],
})

const nodeSchema = recordOf('NodeHealth', {
  id: words('The name of the node.', 'node-1'),
  status: choice(
    ['ok', 'degraded', 'unreachable'],
    'Whether every part of it works; unreachable: it lives, and the node that answers did not hear from it.',
    'ok',
  ),
  draining: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether it is to be empty, or stops.',
    examples: [false],
  }),
  startedAt: momentOrNull('Since when the process runs.'),
  parts: Type.Array(
    exact({
      name: words('The part.', 'actors'),
      status: choice(['up', 'down'], 'Whether it works.', 'up'),
      detail: wordsOrNull('What is to be said beside that.', null),
    }),
    { description: 'The parts of the node; the ledger alone makes it not degraded.' },
  ),
  figures: figuresSchema,
})

const healthSchema = recordOf('ServiceHealth', {
  status: choice(['ok', 'degraded'], 'Whether every living node is ok.', 'ok'),
  nodes: Type.Array(nodeSchema, { description: 'The living nodes by name.' }),
})

/** Health and the most important metrics of all nodes, for a page that operators look at. */
export const operatorHealthRoute = (healthOfAll: () => Promise<readonly NodeHealth[]>): Route =>
  defineRoute({
    method: 'GET',
    path: '/v1/operator/health',
    operationId: 'getServiceHealth',
    summary: 'Shows how every node is, and the metrics that matter most',
    description:
      'Each node is asked when this is asked. For alarms and for plots over time there are `/ready` and `/metrics` on the private port of each node.',
    tag: serviceTags.operators,
    access: { callers: ['operator'] },
    responses: { 200: healthSchema },
    errors: [],
    handle: async () => {
      const nodes = (await healthOfAll()).map(shown)
      const isOk = nodes.every(({ status }) => status === 'ok')
      return reply(200, { status: isOk ? 'ok' : 'degraded', nodes })
    },
  })

/** Without these the node does not work; the others are only told. */
const isNeeded = ({ name }: NodeHealth['parts'][number]): boolean => name !== 'ledger'

const statusOf = ({ isReached, parts }: NodeHealth): 'ok' | 'degraded' | 'unreachable' => {
  if (!isReached) return 'unreachable'
  return parts.every((part) => part.isUp || !isNeeded(part)) ? 'ok' : 'degraded'
}

const shown = (health: NodeHealth) => ({
  id: health.node,
  status: statusOf(health),
  draining: health.isDraining,
  startedAt: health.startedAtMs === null ? null : isoTime(health.startedAtMs),
  parts: health.parts.map(
    ({ name, isUp, detail }) => ({ name, status: isUp ? 'up' : 'down', detail }) as const,
  ),
  figures: health.figures,
})
