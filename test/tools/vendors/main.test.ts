import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Program } from '../../../tools/harness/program.ts'
import { untilFound } from '../../../tools/harness/waiting.ts'
import type { AwsOrders } from '../../../tools/vendors/aws/start-aws.ts'
import type { AzureOrders } from '../../../tools/vendors/azure/start-azure.ts'
import type { VendorAddresses, VendorSettings } from '../../../tools/vendors/main.ts'
import { ordersAt } from '../../../tools/vendors/wire/orders.ts'
import { temporaryFolder } from '../../temporary-folder.ts'

const settings: VendorSettings = {
  aws: { region: 'eu-west-1', accounts: [{ id: '111122223333', users: [], roles: [] }] },
  azure: { resources: [{ name: 'contoso', keys: ['a-key'], isApproved: true }] },
}

describe('the vendors as a process of their own', () => {
  it('say where they listen, take orders, and end in good order', async () => {
    const file = join(temporaryFolder('vendors'), 'settings.json')
    writeFileSync(file, JSON.stringify(settings))
    const program = new Program(['tools/vendors/main.ts', file], { keepsOutput: true })
    onTestFinished(() => program.kill())
    const line = await untilFound(() => /^\{.*\}$/m.exec(program.output)?.[0], {
      limitMs: 60_000,
      otherwise: () => new Error(`the vendors did not start: ${program.lastWords}`),
    })
    const { aws, azure } = JSON.parse(line) as Required<VendorAddresses>
    expect((await fetch(aws.url, { method: 'POST' })).status).toBe(400)
    expect((await fetch(azure.url)).status).toBe(401)
    expect(await ordersAt<AwsOrders>(aws.controlUrl).heard()).toHaveLength(1)
    expect(await ordersAt<AzureOrders>(azure.controlUrl).held()).toEqual([])
    expect(await program.stop()).toMatchObject({ code: 0, signal: null })
  })
})
