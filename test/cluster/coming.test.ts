import { describe, expect, it } from 'vitest'
import { isValid, LeasedNodes, type StartedNode } from './parts/leased-nodes.ts'

const linked = { isLinked: true }
const startedOf = (nodes: LeasedNodes, ...names: readonly string[]): readonly StartedNode[] =>
  names.map((name) => nodes.start(name, linked))
const valid = (started: readonly StartedNode[]): readonly boolean[] => started.map(isValid)

describe('a node with links', () => {
  it('takes part when it reaches all others, soon after the start', async () => {
    const nodes = new LeasedNodes()
    const first = startedOf(nodes, 'n1', 'n2', 'n3')
    expect(await nodes.until(() => first.every(isValid))).toBeLessThan(4_000)
    const fourth = nodes.start('n0', linked)
    expect(await nodes.until(() => isValid(fourth))).toBeLessThan(4_000)
    await nodes.pass(60_000)
    expect(nodes.left).toEqual([])
  })

  it('begins at once where it is alone', async () => {
    const nodes = new LeasedNodes()
    const one = nodes.start('n1', linked)
    expect(await nodes.until(() => isValid(one))).toBeLessThan(2_000)
  })

  it('serves nothing for as long as nobody reaches it, and the others are not disturbed by it', async () => {
    const nodes = new LeasedNodes()
    const others = startedOf(nodes, 'n2', 'n3')
    await nodes.until(() => others.every(isValid))
    for (const other of ['n2', 'n3']) nodes.cut('n1', other)
    const bad = nodes.start('n1', linked)
    await nodes.pass(1_000)
    for (let round = 0; round < 120; round++) {
      expect([isValid(bad), nodes.state('n1')]).toEqual([false, 'coming'])
      expect(valid(others)).toEqual([true, true])
      await nodes.pass(1_000)
    }
    expect(others[0]?.keeper.alive().map(({ node }) => node)).toEqual(['n2', 'n3'])
    nodes.mend()
    expect(await nodes.until(() => isValid(bad))).toBeLessThan(6_000)
    expect(nodes.left).toEqual([])
  })

  it('that nobody reaches any more gives up its lease, and comes back when it is reached', async () => {
    const nodes = new LeasedNodes()
    const [one, ...others] = startedOf(nodes, 'n1', 'n2', 'n3')
    await nodes.until(() => isValid(one as StartedNode) && others.every(isValid))
    await nodes.pass(5_000)
    const owner = one?.keeper.session()?.owner ?? ''
    for (const other of ['n2', 'n3']) nodes.cut('n1', other)
    const tookMs = await nodes.until(() => nodes.state('n1') !== 'alive')
    expect(tookMs).toBeGreaterThanOrEqual(18_000)
    expect(tookMs).toBeLessThan(26_000)
    let isGone = false
    void others[0]?.keeper.isGone(owner).then((gone) => (isGone = gone))
    await nodes.until(() => isGone)
    await nodes.pass(60_000)
    expect(isValid(one as StartedNode)).toBe(false)
    expect(valid(others)).toEqual([true, true])
    expect(nodes.left).toEqual(['n1'])
    nodes.mend()
    await nodes.until(() => isValid(one as StartedNode))
    expect(one?.keeper.session()?.owner).not.toBe(owner)
  })

  it('stays where one of two leaves that cannot reach each other, and others reach both', async () => {
    const nodes = new LeasedNodes()
    const all = startedOf(nodes, 'n1', 'n2', 'n3')
    await nodes.until(() => all.every(isValid))
    nodes.cut('n1', 'n2')
    await nodes.pass(120_000)
    expect(nodes.left).toEqual(['n2'])
    expect(valid(all)).toEqual([true, false, true])
  })

  it('is the one that stays where no link is left at all', async () => {
    const nodes = new LeasedNodes()
    const all = startedOf(nodes, 'n1', 'n2', 'n3')
    await nodes.until(() => all.every(isValid))
    for (const pair of [
      ['n1', 'n2'],
      ['n1', 'n3'],
      ['n2', 'n3'],
    ] as const)
      nodes.cut(pair[0], pair[1])
    for (let round = 0; round < 90; round++) {
      await nodes.pass(1_000)
      expect(valid(all)).toContain(true)
    }
    expect(valid(all)).toEqual([true, false, false])
    nodes.mend()
    await nodes.until(() => all.every(isValid))
  })

  it('does not leave because of others that die or are frozen, one after the other', async () => {
    const nodes = new LeasedNodes()
    const [one, two, three] = startedOf(nodes, 'n1', 'n2', 'n3')
    await nodes.until(() => [one, two, three].every((each) => each !== undefined && isValid(each)))
    one?.process.crash()
    await nodes.pass(6_000)
    two?.process.pause(30_000)
    for (let round = 0; round < 60; round++) {
      await nodes.pass(1_000)
      expect(isValid(three as StartedNode)).toBe(true)
    }
    await nodes.until(() => isValid(two as StartedNode))
    expect(nodes.left).toEqual([])
  })

  it('comes in where all that take part have died, and buries them itself', async () => {
    const nodes = new LeasedNodes()
    const one = nodes.start('n1', linked)
    await nodes.until(() => isValid(one))
    one.process.crash()
    const two = nodes.start('n2', linked)
    expect(await nodes.until(() => isValid(two))).toBeLessThan(20_000)
    expect(nodes.state('n1')).toBe('dead')
  })

  it('takes the place of one that takes part alone and that two others do not reach, who reach each other', async () => {
    const nodes = new LeasedNodes()
    for (const other of ['n2', 'n3']) nodes.cut('n1', other)
    const bad = nodes.start('n1', linked)
    await nodes.until(() => isValid(bad))
    const others = startedOf(nodes, 'n2', 'n3')
    await nodes.until(() => others.every(isValid))
    await nodes.until(() => !isValid(bad))
    await nodes.pass(60_000)
    expect([isValid(bad), ...valid(others)]).toEqual([false, true, true])
  })

  it('has no name of its own beside a process that has it, which is the one that others know', async () => {
    const nodes = new LeasedNodes()
    const [one, two] = startedOf(nodes, 'n1', 'n2')
    await nodes.until(() => [one, two].every((each) => each !== undefined && isValid(each)))
    const name = two?.keeper.incarnation() ?? ''
    const twin = nodes.start('n2', linked)
    for (let round = 0; round < 60; round++) {
      await nodes.pass(1_000)
      expect(twin.keeper.incarnation()).toBeNull()
    }
    const answers: boolean[] = []
    for (const incarnation of [name, 'another'])
      void one?.keeper.isNow('n2', incarnation).then((isNow) => answers.push(isNow))
    await nodes.until(() => answers.length === 2)
    expect(answers).toContain(true)
    expect(answers).toContain(false)
  })

  it('leaves no row behind that stands, when it stops before it took part', async () => {
    const nodes = new LeasedNodes()
    const one = nodes.start('n1', linked)
    await nodes.until(() => isValid(one))
    nodes.cut('n1', 'n2')
    const two = nodes.start('n2', linked)
    await nodes.until(() => nodes.state('n2') === 'coming')
    await nodes.pass(1_000)
    void two.keeper.leave()
    await nodes.until(() => nodes.state('n2') === 'left')
    const three = nodes.start('n3', linked)
    await nodes.until(() => nodes.state('n3') === 'coming')
    nodes.cut('n1', 'n3')
    await nodes.pass(1_000)
    three.process.crash()
    await nodes.until(() => nodes.state('n3') === 'dead')
    expect(nodes.state('n1')).toBe('alive')
  })
})
