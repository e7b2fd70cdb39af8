import { LRUCache } from 'lru-cache'
import { renderSVG } from 'uqr'

type Bounds = { readonly codesMax: number; readonly charactersMax: number }

/** Each has some 20,000 characters. */
const BOUNDS: Bounds = { codesMax: 1_000, charactersMax: 20_000_000 }

const draw = (text: string): string => renderSVG(text, { ecc: 'M', border: 4 })

/**
 * QR codes as pictures, those that were shown last. One takes some milliseconds to draw and follows from its text alone,
 * so whatever else changes about an invitation, the code of its address stays right.
 */
export class DrawnCodes {
  readonly #codes: LRUCache<string, string>
  readonly #draw: (text: string) => string

  constructor({ codesMax, charactersMax }: Bounds = BOUNDS, drawOne = draw) {
    this.#codes = new LRUCache({
      max: codesMax,
      maxSize: charactersMax,
      sizeCalculation: (code, text) => code.length + text.length,
    })
    this.#draw = drawOne
  }

  of(text: string): string {
    const known = this.#codes.get(text)
    if (known !== undefined) return known
    const drawn = this.#draw(text)
    this.#codes.set(text, drawn)
    return drawn
  }
}
