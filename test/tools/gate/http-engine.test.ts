import { describe, expect, it } from 'vitest'
import { againstCluster } from '../../../tools/gate/against-cluster.ts'
import { onHttpEngine } from '../../../tools/gate/http-engine.ts'

describe('a run on one of the HTTP servers', () => {
  it('is of the browser tests of the console, or of the files that are named', () => {
    const environment: NodeJS.ProcessEnv = {}
    expect(onHttpEngine(['--http-engine', 'node'], environment)).toEqual(['test/integration/console/'])
    expect(environment).toEqual({ E2E_HTTP_ENGINE: 'node' })
    expect(onHttpEngine(['test/e2e/lists', '--http-engine', 'uws'], environment)).toEqual(['test/e2e/lists'])
    expect(environment).toEqual({ E2E_HTTP_ENGINE: 'uws' })
  })

  it('may be one against a cluster, whose words stay', () => {
    const environment: NodeJS.ProcessEnv = {}
    const words = ['--against', 'proxy', '--http-engine', 'node', 'test/integration/console/']
    expect(againstCluster(onHttpEngine(words, environment), environment)).toEqual([
      'test/integration/console/',
    ])
    expect(environment).toEqual({ E2E_AGAINST: 'proxy', E2E_HTTP_ENGINE: 'node' })
  })

  it('is none where nobody asks for it', () => {
    const environment: NodeJS.ProcessEnv = {}
    expect(onHttpEngine(['test/e2e/lists'], environment)).toEqual(['test/e2e/lists'])
    expect(environment).toEqual({})
  })
})
