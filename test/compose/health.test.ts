import { describe, expect, it } from 'vitest'
import { composeHealth } from '../../src/compose/health.ts'
import { operatorHealthRoute } from '../../src/http/routes/operator-health.ts'
import type { ClusterNode } from '../../src/compose/join-cluster.ts'
import { createMetrics } from '../../src/telemetry/metrics.ts'
import { LinkedNodes } from '../cluster/parts/linked-nodes.ts'
import { called } from './called-route.ts'

const operator = { kind: 'operator', operatorId: 'o' } as const

class KeyStoreAway extends Error {
  override readonly name = 'KeyStoreAway'
}

/** Three nodes with links; each as it is given. */
const three = (broken: readonly string[] = []) => {
  const linked = new LinkedNodes()
  const names = ['n1', 'n2', 'n3']
  const healths = names.map((node) =>
    composeHealth(
      { metrics: createMetrics(), runtime: { now: () => 1_000 } as never },
      {
        durable: {
          node,
          cluster: {
            link: linked.of(node),
            livingNodes: () => names.filter((each) => each !== node),
          } as unknown as ClusterNode,
          isDraining: () => node === 'n3',
        },
        probed: {
          actors: () =>
            broken.includes(node) ? Promise.reject(new KeyStoreAway('of Ada')) : Promise.resolve(),
        },
        detail: () => [{ name: 'ledger', isUp: false, detail: 'unreachable' }],
      },
    ),
  )
  const ask = async () => {
    const [first = () => Promise.resolve([])] = healths
    return called([operatorHealthRoute(first)], 'getServiceHealth', { caller: operator })
  }
  return { linked, ask }
}

describe('the health of all nodes', () => {
  it('is ok where every part works, whatever the ledger says', async () => {
    expect(await three().ask()).toMatchObject({
      status: 'ok',
      nodes: [
        { id: 'n1', status: 'ok', draining: false, startedAt: '1970-01-01T00:00:01.000Z' },
        {
          id: 'n2',
          status: 'ok',
          parts: [
            { name: 'actors', status: 'up' },
            { name: 'ledger', status: 'down' },
          ],
        },
        { id: 'n3', status: 'ok', draining: true, figures: { requestsAnswered: 0 } },
      ],
    })
  })

  it('names the part that does not work, without the words of its error, and the node that does not answer', async () => {
    const { linked, ask } = three(['n2'])
    linked.cut('n3', 'n1')
    const body = await ask()
    expect(body).toMatchObject({
      status: 'degraded',
      nodes: [
        { id: 'n1', status: 'ok' },
        { id: 'n2', status: 'degraded', parts: [{ status: 'down', detail: 'KeyStoreAway' }, {}] },
        { id: 'n3', status: 'unreachable', draining: null, startedAt: null, parts: [], figures: null },
      ],
    })
    expect(JSON.stringify(body)).not.toContain('Ada')
  })
})
