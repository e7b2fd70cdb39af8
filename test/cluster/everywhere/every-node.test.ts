import { describe, expect, it } from 'vitest'
import { everyNode } from '../../../src/cluster/everywhere/every-node.ts'
import { LinkFailed, type LinkHandler, type NodeLink } from '../../../src/ports/node-link.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'

/** Nodes that hear each other where no cut is between them. */
const nodesThatDo = (here: (node: string, subject: string) => Promise<void>, names: readonly string[]) => {
  const handlers = new Map<string, LinkHandler>()
  const cut = new Set<string>()
  const living = new Set(names)
  const runtime = testRuntime()
  const works = names.map((self) => {
    const link: Pick<NodeLink, 'handle' | 'request'> = {
      handle: (service, handler) => void handlers.set(`${self} ${service}`, handler),
      request: async (node, service, body) => {
        const handler = handlers.get(`${node} ${service}`)
        if (cut.has(node) || handler === undefined) throw new LinkFailed('no connection', true)
        return handler(body, self, 1_000)
      },
    }
    const readLivingNodes = async () => [...living].filter((node) => node !== self)
    const every = everyNode({ link, runtime, readLivingNodes })
    return every.work('forget', 1_000, (subject) => here(self, subject))
  })
  return { works, cut, living }
}

describe('what is done on every node', () => {
  const names = ['a', 'b', 'c']

  it('is done on each before the answer', async () => {
    const done: string[] = []
    const { works } = nodesThatDo(async (node, subject) => void done.push(`${node} ${subject}`), names)
    await works[1]?.('cre_1')
    expect(done.toSorted()).toEqual(['a cre_1', 'b cre_1', 'c cre_1'])
  })

  it('is tried again until a node that was cut off has confirmed', async () => {
    const done = new Set<string>()
    const { works, cut } = nodesThatDo(async (node) => void done.add(node), names)
    cut.add('c')
    const told = works[0]?.('x')
    setTimeout(() => cut.delete('c'), 150)
    await told
    expect([...done].toSorted()).toEqual(names)
  })

  it('is over without a node that has lost its lease', async () => {
    const { works, cut, living } = nodesThatDo(async () => undefined, names)
    cut.add('c')
    setTimeout(() => living.delete('c'), 150)
    await expect(works[0]?.('x')).resolves.toBeUndefined()
  })

  it('fails as retryable where a living node does not confirm, or cannot', async () => {
    const { works, cut } = nodesThatDo(async () => undefined, names)
    cut.add('b')
    await expect(works[0]?.('x')).rejects.toMatchObject({ code: 'unavailable', retryable: true })
    const failing = nodesThatDo(async (node) => {
      if (node === 'c') throw new Error('its file is read by somebody')
    }, names)
    await expect(failing.works[0]?.('x')).rejects.toMatchObject({ code: 'unavailable' })
  })

  it('waits for no one whose work hangs', async () => {
    const { works } = nodesThatDo(
      (node) => (node === 'b' ? new Promise(() => undefined) : Promise.resolve()),
      names,
    )
    await expect(works[1]?.('x')).rejects.toMatchObject({ code: 'unavailable' })
  })
})
