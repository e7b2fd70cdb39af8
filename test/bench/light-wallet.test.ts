import { expect, it } from 'vitest'
import { numberOf, sealedMessages } from '../../bench/load/light-wallet.ts'

it('a message for a light wallet is an envelope that carries its number', () => {
  const sealed = sealedMessages(100)
  expect([0, 7, 123_456_789_012].map((number) => numberOf(sealed(number)))).toEqual([0, 7, 123_456_789_012])
  expect(Object.keys(JSON.parse(sealed(1)) as object).toSorted()).toEqual([
    'ciphertext',
    'iv',
    'protected',
    'tag',
  ])
})
