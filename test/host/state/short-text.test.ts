import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lengthened, shortened } from '../../../src/host/state/short-text.ts'

const pieces = [
  '"createdAtMs":',
  '"status":"done"',
  '"nobody knows":',
  'con_0645a592bc52cad0ab06ede44443fb427c',
  'cre_abcdefabcdef',
  'evt_',
  '_2',
  '"',
  '":',
  ',',
  '\u0001',
  '\u0002!',
  '\u0003',
  '\u0004',
  '\n',
  '!',
  'Änne',
]

describe('a shortened text', () => {
  it('comes back as it was, whatever it is', () => {
    const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 }))
    const texts = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, (text) => lengthened(shortened(text)) === text),
      { numRuns: 5_000 },
    )
  })

  it('comes back with more ids than have a number', () => {
    const ids = Array.from({ length: 200 }, (_, at) => `con_00${String(at).padStart(8, '0')}`)
    const text = [...ids, ...ids].join(' ')
    expect(lengthened(shortened(text))).toBe(text)
  })

  it('is what earlier releases wrote: words have their places for ever', () => {
    const text =
      '{"v":1,"d":{"status":"done","recordId":"cre_0600000000aa","threadId":"cre_0600000000aa","credentials":"operator"}}'
    expect(shortened(text)).toBe(
      '{\u0001!1,\u0001"{\u0001&\u0001w,\u0001K"cre_0600000000aa",\u00018"\u0003!",\u0001h\u0002#}}',
    )
  })

  it('leaves a sealed part as it is', () => {
    const sealed = '"ANnnE7CQslrbc1V62J8kKfyTFukEceRUtjn2XOycirKrdSFwue-Ffu8A1869ahzRj"'
    expect(shortened(`{"s":${sealed}}`)).toContain(sealed)
  })
})
