import { parseSync, type Program, Visitor, type VisitorObject } from 'oxc-parser'

export type Import = {
  /** As written: `./host.ts`, `kafkajs`, `node:fs`. */
  readonly target: string
  readonly typeOnly: boolean
  readonly line: number
}

/** One TypeScript or JavaScript file, read and parsed once for all rules. */
export type Source = {
  /** From the root of the repository, with slashes. */
  readonly path: string
  readonly text: string
  readonly program: Program
  readonly imports: readonly Import[]
}

export function parseSource(path: string, text: string): Source {
  const parsed = parseSync(path, text)
  const [broken] = parsed.errors
  if (broken) throw new Error(`${path} cannot be parsed: ${broken.message}`)
  const imports: Import[] = parsed.module.staticImports.map((each) => ({
    target: each.moduleRequest.value,
    typeOnly: each.entries.length > 0 && each.entries.every((entry) => entry.isType),
    line: lineAt(text, each.start),
  }))
  for (const each of parsed.module.staticExports.flatMap((statement) => statement.entries)) {
    if (!each.moduleRequest) continue
    imports.push({ target: each.moduleRequest.value, typeOnly: each.isType, line: lineAt(text, each.start) })
  }
  return {
    path,
    text,
    program: parsed.program,
    imports: [...imports, ...hiddenImports(parsed.program, text)],
  }
}

export function walk(source: Source, visitor: VisitorObject): void {
  new Visitor(visitor).visit(source.program)
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}

/** What reaches another file without an import statement: `import('…')`, types from it, and files named for a worker. */
function hiddenImports(program: Program, text: string): Import[] {
  const found: Import[] = []
  const add = (target: unknown, typeOnly: boolean, offset: number): void => {
    if (typeof target === 'string') found.push({ target, typeOnly, line: lineAt(text, offset) })
  }
  new Visitor({
    ImportExpression: ({ source, start }) => {
      if (source.type === 'Literal') add(source.value, false, start)
    },
    TSImportType: ({ source, start }) => add(source.value, true, start),
    NewExpression: ({ callee, arguments: [file], start }) => {
      const namesFile = callee.type === 'Identifier' && callee.name === 'URL' && file?.type === 'Literal'
      if (namesFile && typeof file.value === 'string' && /^\.{1,2}\/.*\.[mc]?[jt]s$/.test(file.value)) {
        add(file.value, false, start)
      }
    },
  }).visit(program)
  return found
}
