import { useEffect, useState } from 'preact/hooks'
import type { OperationName } from '../api/address.ts'
import { call } from '../api/call.ts'
import type { Gives, Takes } from '../api/generated/operations.ts'
import type { Problem } from '../api/problem.ts'

/** Operations that answer with a page of records. */
export type ListName = {
  [Name in OperationName]: Gives[Name] extends {
    readonly items: readonly { readonly id: string }[]
    readonly total: number
  }
    ? Name
    : never
}[OperationName]

export type ItemOf<Name extends ListName> = Gives[Name]['items'][number]

type WholeList<Item> = {
  /** Null until all of it is there. */
  readonly items: readonly Item[] | null
  readonly problem: Problem | null
}

const PAGE_SIZE = 100
/** So that the largest organisation cannot keep a page waiting, nor use up what a session may ask in a minute. */
const PAGES_MAX = 10

/**
 * A list of what people choose from, which is short for nearly everybody: page after page until all of it is there, the
 * newest thousand at most.
 */
export const useWholeList = <Name extends ListName>(
  name: Name,
  query: Readonly<Record<string, string>> = {},
): WholeList<ItemOf<Name>> => {
  const key = JSON.stringify([name, query])
  const [list, setList] = useState<WholeList<ItemOf<Name>>>({ items: null, problem: null })
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const ask = async (): Promise<void> => {
      const items: ItemOf<Name>[] = []
      for (let page = 1; page <= PAGES_MAX; page += 1) {
        // The filters of a list have the names of its query, which the types cannot see.
        const takes: object = { query: { ...query, page, pageSize: PAGE_SIZE } }
        const answer = await call(name, takes as Takes[Name], { signal })
        if (signal.aborted) return
        if (!answer.ok) return setList({ items: null, problem: answer.problem })
        items.push(...answer.body.items)
        if (answer.body.items.length < PAGE_SIZE) break
      }
      setList({ items, problem: null })
    }
    void ask().catch(ignored)
    return () => ended.abort()
  }, [key])
  return list
}

/** A request that its page has left behind. */
const ignored = (): void => undefined
