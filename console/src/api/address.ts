import { operations, type Takes } from './generated/operations.ts'

export type OperationName = keyof typeof operations

type Value = string | number | boolean

type Taken = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, Value | readonly Value[] | null | undefined>>
  readonly body?: unknown
}

export type Request = {
  readonly method: string
  readonly address: string
  readonly isKeyed: boolean
  readonly body: unknown
}

/** The request that an operation is, without whatever of its query was left out or left empty. */
export const requestOf = <Name extends OperationName>(name: Name, takes: Takes[Name]): Request => {
  const [method, path, keyed] = operations[name]
  const { path: inPath = {}, query = {}, body } = takes as Taken
  const target = path.replaceAll(/\{(\w+)\}/g, (_, each: string) => encodeURIComponent(inPath[each] ?? ''))
  const sent = new URLSearchParams()
  for (const [field, value] of Object.entries(query)) {
    for (const each of [value ?? ''].flat()) if (each !== '') sent.append(field, String(each))
  }
  return {
    method,
    address: sent.size === 0 ? target : `${target}?${sent.toString()}`,
    isKeyed: keyed === 'keyed',
    body,
  }
}
