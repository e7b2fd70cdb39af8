import { fits } from './arrows.ts'
import { type Restraint, restraints } from './rooms.ts'
import { lineAt, type Source, walk } from './source.ts'

/** One sentence for each thing that a room reaches for although it must not (`restraints` in rooms.ts). */
export function impurities(source: Source): string[] {
  return restraints
    .filter((restraint) => holds(restraint, source.path))
    .flatMap((each) => breaches(source, each))
}

function holds({ rooms, except }: Restraint, path: string): boolean {
  return rooms.some((room) => isIn(room, path)) && !except.includes(path)
}

/** A room is a folder, the beginning of a path, or a pattern of one file of each kind. */
function isIn(room: string, path: string): boolean {
  return room.includes('*') ? fits(path, room) : path.startsWith(room)
}

function breaches(source: Source, { rooms, without, mend }: Restraint): string[] {
  const room = rooms.find((each) => isIn(each, source.path)) ?? ''
  const found: string[] = []
  for (const { what, offset } of reaches(source)) {
    if (!without.includes(what)) continue
    found.push(`${source.path}:${lineAt(source.text, offset)} ${room} may not use ${what}: ${mend}.`)
  }
  return found
}

type Reach = { readonly what: string; readonly offset: number }

/** Every name, call and keyword that could be the world outside; names of fields are not. */
function reaches(source: Source): Reach[] {
  const found: Reach[] = []
  const fields = new Set<number>()
  const field = ({
    key,
    computed,
  }: {
    readonly key: { readonly start: number }
    readonly computed: boolean
  }): void => {
    if (!computed) fields.add(key.start)
  }
  const asynchronous = (node: { readonly async: boolean; readonly start: number }): void => {
    if (node.async) found.push({ what: 'async', offset: node.start })
  }
  walk(source, {
    Identifier: ({ name, start }) => {
      if (!fields.has(start)) found.push({ what: name, offset: start })
    },
    Property: field,
    PropertyDefinition: field,
    MethodDefinition: field,
    TSPropertySignature: field,
    TSMethodSignature: field,
    MemberExpression: ({ object, property, computed, start }) => {
      if (!computed) fields.add(property.start)
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return
      found.push({ what: `${object.name}.${property.name}`, offset: start })
    },
    NewExpression: ({ callee, arguments: given, start }) => {
      if (callee.type === 'Identifier' && given.length === 0)
        found.push({ what: `new ${callee.name}()`, offset: start })
    },
    AwaitExpression: ({ start }) => void found.push({ what: 'await', offset: start }),
    FunctionDeclaration: asynchronous,
    FunctionExpression: asynchronous,
    ArrowFunctionExpression: asynchronous,
  })
  return found
}
