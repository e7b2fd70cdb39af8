import { describe, expect, it } from 'vitest'
import { invitationLinkRoute } from '../../../src/actors/invitation/link-route.ts'
import { callRoute } from '../../http/routes/call-route.ts'

describe('the link of an invitation', () => {
  it('tells a browser what to do, whatever the invitation', async () => {
    const answer = await callRoute([invitationLinkRoute], 'GET', '/i/inv_00aaaaaaaa?oob=x')
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('wallet app')])
  })
})
