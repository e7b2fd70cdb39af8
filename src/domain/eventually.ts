/**
 * A value that is there already, or a promise of it. Most requests only read what is in memory, and a promise costs
 * more than such an answer.
 */
export type Eventually<Value> = Value | Promise<Value>

/** Goes on with a value at once when it is there already, and once it is there otherwise. */
export const chain = <Value, Next>(
  value: Eventually<Value>,
  goOn: (value: Value) => Eventually<Next>,
): Eventually<Next> => (value instanceof Promise ? value.then(goOn) : goOn(value))
