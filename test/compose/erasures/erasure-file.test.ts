import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type ErasedLine,
  type ErasureLine,
  exportHead,
  linesIn,
  textOf,
} from '../../../src/compose/erasures/erasure-file.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const JOURNAL = '0123456789abcdef'
const head = exportHead({ journal: JOURNAL, since: null, exportedAt: '2026-11-23T00:00:00.000Z' })
const erased: ErasedLine = {
  organisation: 'ten_00development',
  recordType: 'credential',
  recordId: 'cre_5f8d2k4m6p7q9r1s3t5v0w2y',
  initiator: 'api_key',
  erasedAt: '2026-11-22T00:00:00.000Z',
}
const period: ErasureLine = {
  organisation: 'ten_00development',
  retentionDays: 30,
  changedAt: '2026-11-22T00:00:00.000Z',
}
const initiator = 'operator'
const deletion: ErasureLine = {
  organisation: 'ten_00aaaaaaaa',
  initiator,
  deletionOrderedAt: '2026-11-14T00:00:00.000Z',
}
const calledBack: ErasureLine = {
  organisation: 'ten_00bbbbbbbb',
  initiator,
  deletionCalledBackAt: '2026-11-15T00:00:00.000Z',
}

const read = async (...lines: readonly string[]): Promise<readonly ErasureLine[]> => {
  const file = join(temporaryFolder('erasure-file'), 'erasures')
  writeFileSync(file, lines.join(''))
  const found: ErasureLine[] = []
  for await (const line of linesIn(file, JOURNAL)) found.push(line)
  return found
}
const [first, one, two, last] = [textOf(head), textOf(erased), textOf(period), textOf({ lines: 2 })]

describe('a file of erasures', () => {
  it('is read as it was written', async () => {
    expect(await read(first, one, two, last)).toEqual([erased, period])
    expect(await read(first, textOf({ lines: 0 }))).toEqual([])
    const lines = [deletion, calledBack]
    expect(await read(first, ...lines.map(textOf), last)).toEqual(lines)
  })

  it('is refused when it is cut off, wherever that is', async () => {
    for (const lines of [[], [first], [first, one], [first, one, two], [first, one, two, last.slice(0, -3)]])
      await expect(read(...lines)).rejects.toThrow(/is cut off|Line 4 of/)
  })

  it.each([
    ['a count that is not right', [first, one, last]],
    ['another version', [first.replace('1', '2'), last]],
    ['no head', [one, last]],
    ['something behind its end', [first, one, two, last, one]],
    ['an unknown kind of record', [first, one.replace('"credential"', '"organisation"'), two, last]],
    ['an id of another kind', [first, one.replace('cre_', 'pro_'), two, last]],
    ['no organisation', [first, one.replace('ten_00', 'tin_00'), two, last]],
    ['an unknown initiator', [first, one.replace('api_key', 'retention'), two, last]],
    ['no time', [first, one.replace('2026-11-22T', 'yesterday '), two, last]],
    ['no period', [first, one, two.replace('30', '-1'), last]],
    ['a deletion by a member', [first, textOf(deletion).replace('operator', 'tenant_member'), two, last]],
    ['a deletion without a time', [first, textOf(deletion).replace('2026-', 'in '), two, last]],
    ['a line of two types', [first, textOf({ ...deletion, ...calledBack }), two, last]],
    ['no JSON', [first, 'cre_5f8d2k4m6p7q9r1s3t5v0w2y\n', last]],
  ])('is refused with %s', async (_, lines) => {
    await expect(read(...lines)).rejects.toThrow(/^Line \d of .* Nothing was changed\.$/)
  })

  it('is refused when it is of another installation', async () => {
    await expect(read(first.replace(JOURNAL, 'fedcba9876543210'), one, two, last)).rejects.toThrow(
      /was exported from another installation \(fedcba9876543210, this one is 0123456789abcdef\)/,
    )
  })
})
