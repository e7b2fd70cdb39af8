import { lineAt, type Source, walk } from './source.ts'

const sourceLinesMax = 300
const testLinesMax = 500
const vagueWords = new Set(['util', 'utils', 'helper', 'helpers', 'manager', 'managers', 'common', 'misc'])

export function isTest(path: string): boolean {
  return path.startsWith('test/') || path.endsWith('.test.ts')
}

export function tooLong({ path, text }: Source): string[] {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const most = isTest(path) ? testLinesMax : sourceLinesMax
  return lines > most
    ? [`${path} has ${lines} lines, ${most} is the most: give one of its responsibilities a file of its own.`]
    : []
}

export function vagueName(path: string): string[] {
  const parts = path.split('/')
  const file = parts.at(-1) ?? ''
  const objections: string[] = []
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)+$/.test(file))
    objections.push(`${path} is not named in kebab-case.`)
  for (const word of parts.flatMap((part) => part.split(/[-.]/)).filter((part) => vagueWords.has(part))) {
    objections.push(`${path} says "${word}", which does not say what is in it: name the noun it is about.`)
  }
  return objections
}

/** Node runs the sources as they are, and Node 22 cannot parse `using`; vitest could, so no other test would notice. */
export function unparsable(source: Source): string[] {
  if (isTest(source.path)) return []
  const found: string[] = []
  walk(source, {
    VariableDeclaration: ({ kind, start }) => {
      if (kind !== 'using' && kind !== 'await using') return
      const place = `${source.path}:${lineAt(source.text, start)}`
      found.push(
        `${place} "${kind}" does not parse on Node 22: call [Symbol.asyncDispose]() in a finally block.`,
      )
    },
  })
  return found
}

const suites = new Set(['it', 'test', 'describe', 'suite', 'bench'])
const silencers = new Set(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails'])

export function silencedTests(source: Source): string[] {
  if (!isTest(source.path)) return []
  const found: string[] = []
  walk(source, {
    MemberExpression: ({ object, property, start }) => {
      if (object.type !== 'Identifier' || property.type !== 'Identifier') return
      if (!suites.has(object.name) || !silencers.has(property.name)) return
      const place = `${source.path}:${lineAt(source.text, start)}`
      found.push(`${place} ${object.name}.${property.name} silences a test: mend it, or take it away.`)
    },
  })
  return found
}
