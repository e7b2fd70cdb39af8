const END_BYTES = 4
const ENDS = 2 ** 22

type Needle<Of> = { readonly form: Buffer; readonly of: Of }

/**
 * Many byte strings that are looked for at once: what is searched is read once for all of them, by their last four
 * bytes, because a disk may have tens of thousands of keys in some hundred megabytes.
 */
export class Needles<Of> {
  readonly #byEnd = new Map<number, Needle<Of>[]>()
  readonly #mayEnd = new Uint8Array(ENDS)

  add(form: Buffer, of: Of): void {
    if (form.length < END_BYTES) throw new RangeError('too short to be looked for among others')
    const end = form.readUInt32BE(form.length - END_BYTES)
    this.#mayEnd[end % ENDS] = 1
    const others = this.#byEnd.get(end)
    if (others === undefined) this.#byEnd.set(end, [{ form, of }])
    else others.push({ form, of })
  }

  /** Each that stands in the bytes, as often as it does, with the place behind it. */
  *in(bytes: Buffer): Generator<{ readonly of: Of; readonly behind: number }> {
    let end = 0
    for (let at = 0; at < bytes.length; at++) {
      end = ((end << 8) | (bytes[at] ?? 0)) >>> 0
      if (this.#mayEnd[end % ENDS] === 0) continue
      for (const { form, of } of this.#byEnd.get(end) ?? []) {
        const from = at + 1 - form.length
        if (from >= 0 && bytes.compare(form, 0, form.length, from, at + 1) === 0) yield { of, behind: at + 1 }
      }
    }
  }
}
