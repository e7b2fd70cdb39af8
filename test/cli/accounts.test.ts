import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { registerAccounts } from '../../src/cli/accounts.ts'

describe('the commands about people', () => {
  it('are there with what they need', () => {
    const program = new Command()
    registerAccounts(program, {})
    const usages = program.commands.flatMap((group) =>
      group.commands.map((each) => `${group.name()} ${each.name()} ${each.usage()}`),
    )
    expect(usages).toEqual([
      'member invite [options] <tenant> <email-address>',
      'member list [options] <tenant>',
      'member remove [options] <tenant> <account>',
      'operator invite [options] <email-address>',
      'operator list [options]',
      'operator remove [options] <account>',
    ])
  })
})
