import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { againstCluster } from '../../../tools/gate/against-cluster.ts'
import { ownService } from '../../e2e/own-service.ts'

describe('a run against a cluster', () => {
  it('is of the whole suite, or of the files that are named', () => {
    const environment: NodeJS.ProcessEnv = {}
    expect(againstCluster(['--against', 'proxy'], environment)).toEqual(['test/e2e/'])
    expect(environment).toEqual({ E2E_AGAINST: 'proxy' })
    expect(againstCluster(['test/e2e/lists', '--against', 'any'], environment)).toEqual(['test/e2e/lists'])
    expect(environment).toEqual({ E2E_AGAINST: 'any' })
  })

  it('is none where nobody asks for it', () => {
    const environment: NodeJS.ProcessEnv = {}
    expect(againstCluster(['test/e2e/lists'], environment)).toEqual(['test/e2e/lists'])
    expect(environment).toEqual({})
  })

  it('leaves out files that are there', () => {
    const files = Object.keys(ownService)
    expect(files.filter((file) => !existsSync(`test/e2e/${file}`))).toEqual([])
  })
})
