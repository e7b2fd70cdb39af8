import { Type } from 'typebox'
import { isRefused } from '../../domain/decider.ts'
import { limits } from '../../domain/limits.ts'
import { exact } from '../../http/route/fields.ts'
import { pageQuery } from '../../http/route/list.ts'
import { refusal } from '../../http/route/problem.ts'
import { defineRoute, reply, type Route } from '../../http/route/route.ts'
import type { ApiPorts } from '../kind-ports.ts'
import { readingRoutes } from '../reading-routes.ts'
import { tags } from '../tags.ts'
import { readTenant } from '../tenant/read.ts'
import { readLedgerCeiling, setLedgerCeiling } from './commands.ts'
import { ledgerCeilingSchema, ledgerCeilingView } from './record.ts'

type Ports = Pick<ApiPorts, 'actors' | 'runtime' | 'directory'>

const PATH = '/v1/operator/ledger-ceilings'
const refusals = ['not_found'] as const

/** How often organisations may write to the ledger; the id is the organisation's. */
export const ledgerCeilingRoutes = (ports: Ports): readonly Route[] => {
  const { list, show } = readingRoutes(ports, {
    path: PATH,
    tag: tags.operators,
    callers: ['operator'],
    kind: 'tenant',
    noun: 'organisation',
    list: {
      operationId: 'listLedgerCeilings',
      summary: 'Lists how often each organisation may write to the ledger in a day, and has',
      description: 'Newest organisations first; `q` looks in their names.',
    },
    show: {
      operationId: 'getLedgerCeiling',
      summary: 'Shows how often an organisation may write to the ledger in a day, and has',
    },
    query: pageQuery,
    record: ledgerCeilingSchema,
    view: async (_, id) => {
      const found = await readLedgerCeiling(ports, id)
      return isRefused(found) ? null : ledgerCeilingView(id, found, ports.runtime.now())
    },
  })
  return [
    list,
    show,
    defineRoute({
      method: 'PUT',
      path: `${PATH}/{id}`,
      operationId: 'setLedgerCeiling',
      summary: 'Sets how often an organisation may write to the ledger in a day',
      description:
        'From now on: what it has written today counts. An order above it is 422 `ledger_ceiling_reached` until midnight UTC.',
      tag: tags.operators,
      access: { callers: ['operator'] },
      audit: {
        organisation: async ({ params: { id = '' } }) => (isRefused(await readTenant(ports, id)) ? null : id),
        done: ({ params: { id = '' } }) => id,
      },
      body: exact({
        writesPerDay: Type.Union(
          [Type.Integer({ minimum: 0, maximum: limits.ledgerWritesPerDayMax }), Type.Null()],
          {
            description: `At most ${limits.ledgerWritesPerDayMax}; null: ${limits.ledgerWritesPerDayDefault}, as for every organisation.`,
            examples: [500],
          },
        ),
      }),
      responses: { 200: ledgerCeilingSchema },
      errors: refusals,
      handle: async ({ params: { id }, body }) => {
        const set = await setLedgerCeiling(ports, id, body.writesPerDay)
        return isRefused(set)
          ? refusal(refusals, set)
          : reply(200, ledgerCeilingView(id, set, ports.runtime.now()))
      },
    }),
  ]
}
