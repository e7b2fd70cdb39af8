const END_BYTES = 4
/** Of the four bytes so many bits say whether a look is worth while. */
const END_BITS = 2 ** 22 - 1

type Needle<Of> = { readonly form: Buffer; readonly of: Of }

/**
 * Many byte strings that are looked for at once: what is searched is read once for all of them, by their last four
 * bytes, because a disk may have tens of thousands of keys in some hundred megabytes.
 */
export class Needles<Of> {
  readonly #byEnd = new Map<number, Needle<Of>[]>()
  readonly #mayEnd = new Uint8Array(END_BITS + 1)

  add(form: Buffer, of: Of): void {
    if (form.length < END_BYTES) throw new RangeError('too short to be looked for among others')
    const end = form.readInt32BE(form.length - END_BYTES)
    this.#mayEnd[end & END_BITS] = 1
    const others = this.#byEnd.get(end)
    if (others === undefined) this.#byEnd.set(end, [{ form, of }])
    else others.push({ form, of })
  }

  /** Each that stands in the bytes, as often as it does, with the place behind it. */
  *in(bytes: Buffer): Generator<{ readonly of: Of; readonly behind: number }> {
    for (let behind = this.#nextEnd(bytes, END_BYTES); behind > 0; behind = this.#nextEnd(bytes, behind + 1))
      for (const { form, of } of this.#byEnd.get(bytes.readInt32BE(behind - END_BYTES)) ?? []) {
        const from = behind - form.length
        if (from >= 0 && bytes.compare(form, 0, form.length, from, behind) === 0) yield { of, behind }
      }
  }

  /** Behind which four bytes, there or later, something may end; 0 where nothing does. Numbers stay whole and signed, as the processor has them. */
  #nextEnd(bytes: Buffer, from: number): number {
    const mayEnd = this.#mayEnd
    let end = 0
    for (let at = Math.max(0, from - END_BYTES); at < from - 1; at++) end = (end << 8) | (bytes[at] ?? 0)
    for (let at = from - 1; at < bytes.length; at++) {
      end = (end << 8) | (bytes[at] ?? 0)
      if (mayEnd[end & END_BITS] === 1) return at + 1
    }
    return 0
  }
}
