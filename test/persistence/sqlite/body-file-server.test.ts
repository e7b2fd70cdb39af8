import { join } from 'node:path'
import { expect, it } from 'vitest'
import { BodyFileServer } from '../../../src/persistence/sqlite/body-file-server.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

it('one call that is wrong does not fail its neighbours', () => {
  const server = new BodyFileServer(join(temporaryFolder('body-file-server'), 'bodies'))
  const calls = [
    ['put', 'a', 'text', 7],
    ['put', 'x'.repeat(200), 'text', 7],
    ['get', 'a'],
    ['list'],
    ['deleteAll', ['a', 'b']],
    ['get', 'a'],
  ] as const
  const { values, failures } = server.run({ slots: [], calls })
  expect(values).toEqual([
    [2, 'text'],
    [3, [['a', 7]]],
    [5, null],
  ])
  expect(failures).toMatchObject([[1, { is: 'not-applied' }]])
  server.close()
  expect(server.run({ slots: [], calls: [['list']] }).values).toEqual([[0, []]])
  server.close()
})
