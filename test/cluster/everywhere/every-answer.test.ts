import { describe, expect, it } from 'vitest'
import { everyAnswer } from '../../../src/cluster/everywhere/every-answer.ts'
import { LinkedNodes } from '../parts/linked-nodes.ts'

describe('a question to every node', () => {
  it('is answered by each other node that lives, and by null where one does not answer', async () => {
    const linked = new LinkedNodes()
    const others = (own: string) => () => ['n1', 'n2', 'n3'].filter((each) => each !== own)
    const [ask] = ['n1', 'n2', 'n3'].map((node) =>
      everyAnswer({ link: linked.of(node), livingNodes: others(node) }, 'name', () =>
        node === 'n3' ? Promise.reject(new Error('broken')) : Promise.resolve({ node }),
      ),
    )
    expect(await ask?.()).toEqual([
      ['n2', { node: 'n2' }],
      ['n3', null],
    ])
    linked.cut('n2', 'n1')
    expect(await ask?.()).toEqual([
      ['n2', null],
      ['n3', null],
    ])
  })
})
