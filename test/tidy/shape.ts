import type { Expression, Super } from 'oxc-parser'
import { lineAt, type Source, walk } from './source.ts'

const sourceLinesMax = 300
const testLinesMax = 500
const vagueWords = new Set(['util', 'utils', 'helper', 'helpers', 'manager', 'managers', 'common', 'misc'])

function isTest(path: string): boolean {
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
  const objectTo = (start: number, what: string): void => {
    const place = `${source.path}:${lineAt(source.text, start)}`
    found.push(`${place} ${what} silences a test: mend it, or take it away.`)
  }
  walk(source, {
    MemberExpression: ({ object: before, property, start }) => {
      const suite = suiteOf(before)
      const word = property.type === 'Literal' ? property.value : 'name' in property ? property.name : ''
      if (suite !== null && typeof word === 'string' && silencers.has(word))
        objectTo(start, `${suite}.${word}`)
    },
    CallExpression: ({ callee, arguments: [, options], start }) => {
      const suite = suiteOf(callee)
      if (suite === null || options?.type !== 'ObjectExpression') return
      for (const option of options.properties) {
        if (option.type !== 'Property' || option.key.type !== 'Identifier') continue
        if (silencers.has(option.key.name)) objectTo(start, `${suite} with ${option.key.name}`)
      }
    },
  })
  return found
}

/** `it` of `it`, `it.concurrent` and `it.each([1])`: whatever stands between, the last word silences it all the same. */
function suiteOf(expression: Expression | Super): string | null {
  if (expression.type === 'MemberExpression') return suiteOf(expression.object)
  if (expression.type === 'CallExpression') return suiteOf(expression.callee)
  return expression.type === 'Identifier' && suites.has(expression.name) ? expression.name : null
}
