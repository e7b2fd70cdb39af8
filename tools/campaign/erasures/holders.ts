import { type Flow, runFlow, untilFinal } from '../../flows/flow.ts'
import type { startPhones } from '../../flows/phones.ts'
import type { Published } from '../../flows/publish.ts'
import type { Json } from '../../flows/tenant.ts'
import { inLanes } from '../scenario.ts'

export type Holding = { readonly flow: Flow; readonly secondProofId: string }

/**
 * Real wallets that connect, receive a credential and prove it while the service is killed. Then what they were issued and
 * what they proved is erased, and the credential, which they alone have now, is proved once more.
 */
export const runHolders = async (
  published: Published,
  { flows, 'at-once': atOnce }: { readonly flows: number; readonly 'at-once': number },
  phoneOf: ReturnType<typeof startPhones>['phone'],
): Promise<{ readonly holdings: readonly Holding[]; readonly problems: readonly string[] }> => {
  const { tenant, templateId: proofTemplateId } = published
  const holdings: Holding[] = []
  const problems: string[] = []
  const erase = (path: string): Promise<Json> => tenant.post(`${path}/erase`, {}, `${path}-erase`)
  await inLanes(atOnce, flows, async (number) => {
    const phone = phoneOf(number)
    try {
      const flow = await runFlow(published, number, phone, { prefix: 'holder' })
      const { connectionId, credentialId, proofId } = flow
      await erase(`/v1/credentials/${credentialId}`)
      await erase(`/v1/proofs/${proofId}`)
      const { id } = await tenant.post(
        '/v1/proofs/request',
        { connectionId, proofTemplateId },
        `again-${number}`,
      )
      const secondProofId = String(id)
      await untilFinal(tenant, `/v1/proofs/${secondProofId}`)
      holdings.push({ flow, secondProofId })
    } catch (error) {
      const { failures } = await phone.report()
      problems.push(
        [`holder ${number}: ${error instanceof Error ? error.message : String(error)}`, ...failures].join(
          '; ',
        ),
      )
    }
  })
  return { holdings, problems }
}

/** Whether each holder came through, and what the API shows of it in the end. */
export const wrongHoldings = async (
  { tenant }: Published,
  holdings: readonly Holding[],
): Promise<readonly string[]> => {
  const problems: string[] = []
  for (const { flow, secondProofId } of holdings) {
    const { name, connectionId, credentialId, proofId } = flow
    const expect = async (path: string, wanted: Json): Promise<void> => {
      const found = await tenant.get(path)
      for (const [field, value] of Object.entries(wanted))
        if (JSON.stringify(found[field]) !== JSON.stringify(value))
          problems.push(`${path} has ${field} ${JSON.stringify(found[field])}, not ${JSON.stringify(value)}`)
      if ('erasedAt' in wanted === (found['erasedAt'] !== null))
        problems.push(`${path} has erasedAt ${JSON.stringify(found['erasedAt'])}`)
    }
    await expect(`/v1/connections/${connectionId}`, { state: 'completed', erasedAt: null })
    await expect(`/v1/credentials/${credentialId}`, { state: 'done', attributes: null })
    await expect(`/v1/proofs/${proofId}`, { state: 'done', verified: true, disclosed: null })
    const disclosed = { person: { name } }
    await expect(`/v1/proofs/${secondProofId}`, { state: 'done', verified: true, disclosed, erasedAt: null })
  }
  return problems
}
