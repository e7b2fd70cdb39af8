/** The same object, but for what it does instead, if anything. What it does itself it does with its own `this`. */
export const instead = <Whole extends object>(whole: Whole, changes: Partial<Whole> | undefined): Whole => {
  if (changes === undefined) return whole
  return new Proxy(whole, {
    get: (target, name) => {
      const value: unknown = Reflect.get(name in changes ? changes : target, name)
      return typeof value === 'function' ? (value.bind(target) as unknown) : value
    },
  })
}
