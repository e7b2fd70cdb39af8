import { describe, expect, it } from 'vitest'
import { Disturbances } from '../../../../tools/campaign/cluster/disturbances.ts'
import type { Step } from '../../../../tools/campaign/cluster/plan.ts'

type World = ConstructorParameters<typeof Disturbances>[0]

const killing = (node: number): Step => ({
  first: { is: 'kill', node, downMs: 0, again: false },
  beside: null,
  afterMs: 0,
})
const rolling: Step = { first: { is: 'rolling' }, beside: null, afterMs: 0 }

const disturbed = async (plan: readonly Step[], endMs: number) => {
  const done: string[] = []
  const nodes = {
    all: [1, 2],
    kill: async (node: number) => void done.push(`kill ${node}`),
    stop: async (node: number) => void done.push(`stop ${node}`),
    start: async (node: number) => void done.push(`start ${node}`),
    untilReady: async () => undefined,
  }
  const disturbances = new Disturbances({ nodes } as unknown as World, () => undefined)
  await disturbances.run(plan, endMs, () => '')
  return { done, problems: disturbances.problems, kills: disturbances.backMs.kill?.length ?? 0 }
}

describe('a cut', () => {
  it('has something taken back while it lasts, through the one node and then the other', async () => {
    const done: string[] = []
    const say = (text: string) => async (): Promise<void> => void done.push(text)
    const world = {
      nodes: { untilReady: say('ready') },
      links: {
        cut: () => {
          done.push('cut')
          return () => void done.push('mended')
        },
      },
    } as unknown as World
    const takingBack = {
      ready: say('something to take back'),
      begin: async (through: number) => {
        done.push(`through ${through}`)
        if (through === 2) throw new Error('node 2 is away')
      },
      end: say('looked to the end'),
    }
    const disturbances = new Disturbances(world, () => undefined, takingBack)
    const cut: Step = {
      first: { is: 'cut', one: 1, other: 2, forMs: 1, cut: { way: 'both', how: 'held' } },
      beside: null,
      afterMs: 0,
    }
    await disturbances.run([cut, cut], Infinity, () => '')
    const through = (node: number): readonly string[] => {
      const whileCut = ['cut', `through ${node}`, 'mended', 'ready', 'ready']
      return ['something to take back', ...whileCut, 'looked to the end']
    }
    expect(done).toEqual([...through(1), ...through(2)])
    expect(disturbances.problems).toEqual(['node 2 is away'])
  })
})

describe('a plan that is carried out', () => {
  it('has every step, and says how long each took to mend', async () => {
    const { done, problems, kills } = await disturbed([killing(1), killing(2)], Infinity)
    expect(done).toEqual(['kill 1', 'start 1', 'kill 2', 'start 2'])
    expect([problems, kills]).toEqual([[], 2])
  })

  it('whose time is over is no success, although the rolling restart is never left out', async () => {
    const { done, problems } = await disturbed([killing(1), killing(2), rolling], -Infinity)
    expect(done).toEqual(['stop 1', 'start 1', 'stop 2', 'start 2'])
    expect(problems).toEqual(['2 of 3 steps of the plan were not begun when its time was over'])
  })
})
