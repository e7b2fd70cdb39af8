import { expect, it } from 'vitest'
import { drawFaults } from '../../tools/simulate/faults.ts'
import { seedFrom } from '../../tools/simulate/random.ts'
import { isValid, LeasedNodes, type StartedNode } from './parts/leased-nodes.ts'

const SCHEDULES = 40
const STEPS = 60
const STEP_MS = 5_000
/** Longer than anybody takes to be dead, to leave and to come in again. */
const QUIET_MS = 180_000
const NAMES = ['n1', 'n2', 'n3', 'n4']

/** Cuts, crashes, frozen processes and a store that loses, repeats and is late; what must hold meanwhile and afterwards. */
const runSchedule = async (seed: number): Promise<void> => {
  const nodes = new LeasedNodes(seed, (random) => ({ ...drawFaults(random), crash: 0, wallOffsetMs: 0 }))
  const { world } = nodes
  const { random } = world
  const all: { name: string; started: StartedNode }[] = []
  const start = (name: string): void =>
    void all.push({ name, started: nodes.start(name, { isLinked: true }) })
  const running = () => all.filter(({ started }) => started.process.alive)
  const checkNames = (): void => {
    const serving = running().filter(({ started }) => isValid(started))
    expect(new Set(serving.map(({ name }) => name)).size).toBe(serving.length)
  }
  for (const name of NAMES) start(name)
  for (let step = 0; step < STEPS; step++) {
    const [one, other] = [random.pick(NAMES), random.pick(NAMES)]
    const chosen = random.pick(running())
    const happens = random.pick(['cut', 'cut', 'mend', 'pause', 'crash', 'twin', 'nothing'] as const)
    if (happens === 'cut' && one !== other) nodes.cut(one, other)
    if (happens === 'mend') nodes.mend()
    if (happens === 'pause') chosen.started.process.pause(random.next() * 30_000)
    if (happens === 'crash') {
      chosen.started.process.crash()
      start(chosen.name)
    }
    if (happens === 'twin' && running().length < NAMES.length * 2) start(chosen.name)
    await nodes.pass(STEP_MS)
    checkNames()
  }
  world.healed = true
  // Whatever is cut stays so: somebody serves, and whoever serves reaches everybody else who does.
  await nodes.pass(QUIET_MS)
  checkNames()
  const serving = running().filter(({ started }) => isValid(started))
  expect(serving.length).toBeGreaterThan(0)
  for (const { name, started } of serving)
    for (const row of started.keeper.alive()) if (row.node !== name) expect(row.reached).toContain(name)
  nodes.mend()
  await nodes.pass(QUIET_MS)
  for (const name of NAMES)
    expect(running().filter((each) => each.name === name && isValid(each.started))).toHaveLength(1)
}

it('nodes come and leave so that somebody serves and all who do reach each other, in any disorder', async () => {
  const first = seedFrom(process.env['SEED'])
  for (let seed = first; seed < first + SCHEDULES; seed++) {
    const failure = await runSchedule(seed).then(
      () => null,
      (error: unknown) => error,
    )
    expect(failure, `SEED=${seed}`).toBeNull()
  }
}, 240_000)
