import { lineAt, type Source, walk } from './source.ts'

const outsideWorld = new Set(
  'process console crypto performance fetch globalThis Buffer setTimeout setInterval setImmediate queueMicrotask'.split(
    ' ',
  ),
)

/** Where a decision is made, the same command must give the same answer today, tomorrow and in a replay. */
export function impurities(source: Source): string[] {
  if (!source.path.startsWith('src/domain/')) return []
  const found: string[] = []
  const add = (what: string, offset: number): void => {
    found.push(
      `${source.path}:${lineAt(source.text, offset)} src/domain/ is pure and may not use ${what}: let the value come in with the command.`,
    )
  }
  const asynchronous = (node: { readonly async: boolean; readonly start: number }): void => {
    if (node.async) add('async', node.start)
  }
  const names = new Set<number>()
  const named = ({
    key,
    computed,
  }: {
    readonly key: { readonly start: number }
    readonly computed: boolean
  }): void => {
    if (!computed) names.add(key.start)
  }
  walk(source, {
    Identifier: ({ name, start }) => {
      if (outsideWorld.has(name) && !names.has(start)) add(name, start)
    },
    Property: named,
    PropertyDefinition: named,
    MethodDefinition: named,
    TSPropertySignature: named,
    TSMethodSignature: named,
    MemberExpression: ({ object, property, computed, start }) => {
      if (!computed) names.add(property.start)
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return
      const call = `${object.name}.${property.name}`
      if (call === 'Date.now' || call === 'Math.random') add(call, start)
    },
    NewExpression: ({ callee, arguments: given, start }) => {
      if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0)
        add('new Date()', start)
    },
    AwaitExpression: ({ start }) => add('await', start),
    FunctionDeclaration: asynchronous,
    FunctionExpression: asynchronous,
    ArrowFunctionExpression: asynchronous,
  })
  return found
}
