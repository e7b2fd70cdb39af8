import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { registerOrganisations } from '../../src/cli/organisations.ts'

describe('the commands about organisations', () => {
  it('are there with what they need', () => {
    const program = new Command()
    registerOrganisations(program, {})
    const names = program.commands.flatMap((group) =>
      group.commands.map((each) => `${group.name()} ${each.name()}`),
    )
    expect(names).toEqual([
      ...['create', 'show', 'list', 'suspend', 'resume'].map((name) => `tenant ${name}`),
      ...['create', 'list', 'revoke', 'rate'].map((name) => `key ${name}`),
    ])
  })
})
