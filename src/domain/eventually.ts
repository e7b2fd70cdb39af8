/**
 * A value that is there already, or a promise of it. Most requests are answered from memory, and the promises between
 * a request and such an answer would cost more than the answer.
 */
export type Eventually<Value> = Value | Promise<Value>

/** Goes on with the value: now if it is there, else when it comes. */
export const chain = <Value, Next>(
  value: Eventually<Value>,
  goOn: (value: Value) => Eventually<Next>,
): Eventually<Next> => (value instanceof Promise ? value.then(goOn) : goOn(value))
