import type { Shard } from '../api/generated/operations.ts'
import { useAnswer } from '../state/use-answer.ts'

/** All 256, which a page does not hold. */
export const useShards = (everyMs: number): readonly Shard[] => {
  const first = useAnswer('listShards', { query: { pageSize: 100, page: 1 } }, { everyMs })
  const second = useAnswer('listShards', { query: { pageSize: 100, page: 2 } }, { everyMs })
  const third = useAnswer('listShards', { query: { pageSize: 100, page: 3 } }, { everyMs })
  return [first, second, third]
    .flatMap(({ body }) => body?.items ?? [])
    .toSorted((one, other) => one.number - other.number)
}
