import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { engineSteps } from '../../../tools/gate/engine-step.ts'

it('there is no step for the engine without Rust', () => {
  expect(engineSteps('/nowhere/cargo')).toEqual([])
})

it('what the tests of the engine say counts', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'vouchsafe-cargo-'))
  try {
    const cargo = join(folder, 'cargo')
    const said = 'test one ... ok\\ntest two ... FAILED\\n\\ntest result: FAILED. 1 passed; 1 failed\\n'
    await writeFile(cargo, `#!/bin/sh\n[ "$1" = --version ] && exit 0\nprintf '${said}'\nexit 101\n`)
    await chmod(cargo, 0o755)
    const [step] = engineSteps(cargo)
    const result = await step?.run()
    expect(result).toMatchObject({ ok: false, tally: { passed: 1, failed: 1, failures: ['engine · two'] } })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
