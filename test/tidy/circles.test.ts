import { describe, expect, it } from 'vitest'
import { circles } from './circles.ts'
import { parseSource } from './source.ts'

const circlesOf = (files: Readonly<Record<string, string>>): string[][] =>
  circles(Object.entries(files).map(([path, text]) => parseSource(path, text)))

describe('the circles of imports', () => {
  it('are none where all imports lead one way', () => {
    expect(
      circlesOf({
        'src/app.ts': `import { host } from './host/host.ts'\nimport { port } from './port.ts'`,
        'src/host/host.ts': `import type { Port } from '../port.ts'`,
        'src/port.ts': `import { join } from 'node:path'`,
      }),
    ).toEqual([])
  })

  it('are found where only a type leads back', () => {
    expect(
      circlesOf({
        'src/one.ts': `import { two } from './two.ts'`,
        'src/two.ts': `import type { One } from './one.ts'`,
        'src/three.ts': `import { one } from './one.ts'`,
      }),
    ).toEqual([['src/one.ts', 'src/two.ts']])
  })

  it('are found round several corners, and through what is imported late', () => {
    expect(
      circlesOf({
        'src/a.ts': `export * from './b.ts'`,
        'src/b.ts': `type C = import('./c.ts').C`,
        'src/c.ts': `const a = await import('./a.ts')`,
        'src/x.ts': `import './y.ts'`,
        'src/y.ts': `import './x.ts'`,
      }),
    ).toEqual([
      ['src/a.ts', 'src/b.ts', 'src/c.ts'],
      ['src/x.ts', 'src/y.ts'],
    ])
  })
})
