import { expect, it } from 'vitest'
import { WaitingPings } from '../../../../src/http/server/sockets/waiting-pings.ts'

it('answers a ping and those before it, whatever else the other side says', () => {
  const pings = new WaitingPings()
  const heard: string[] = []
  const said = (text: string): Uint8Array => Buffer.from(text)
  expect(pings.next(() => void heard.push('first'))).toBe('1')
  expect(pings.next(null)).toBe('2')
  expect(pings.next(() => void heard.push('third'))).toBe('3')
  for (const foreign of ['', ' ', '4', 'x', '-1', '1e999', '9'.repeat(200)]) pings.answered(said(foreign))
  expect([heard, pings.count]).toEqual([[], 2])
  pings.answered(said('2'))
  expect(heard).toEqual(['first'])
  pings.answered(said('3'))
  pings.answered(said('1'))
  expect([heard, pings.count]).toEqual([['first', 'third'], 0])
  pings.next(() => void heard.push('forgotten'))
  pings.forget()
  pings.answered(said('4'))
  expect(heard).toEqual(['first', 'third'])
})
