import { describe, expect, it } from 'vitest'
import { wrongSyncRequests } from '../../../../tools/campaign/mediated/judgement.ts'

const request = (walletId: string, second: number) => ({
  id: `evt_${walletId}_${second}`,
  createdAt: new Date(second * 1_000).toISOString(),
  data: { walletId },
})

describe('wallets that are asked to come', () => {
  it('may be asked every thirty seconds, each for itself, in whatever order it is heard', () => {
    const requests = [request('wal_1', 30), request('wal_2', 10), request('wal_1', 0), request('wal_1', 61)]
    expect(wrongSyncRequests(requests)).toEqual([])
  })

  it('are asked too often within less', () => {
    expect(wrongSyncRequests([request('wal_1', 29), request('wal_1', 0)])).toEqual([
      'wal_1 was asked to come twice within 29000 ms',
    ])
  })
})
