import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { registerOperator } from '../../src/cli/operator.ts'

describe("the operator's commands", () => {
  it('are there with what they need', () => {
    const program = new Command()
    registerOperator(program, {})
    const names = program.commands.flatMap((group) =>
      group.commands.map((each) => `${group.name()} ${each.name()}`),
    )
    expect(names).toEqual(expect.arrayContaining(['schema publish', 'definition publish', 'template create']))
  })
})
