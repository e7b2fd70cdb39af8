import { pack } from './envelope.ts'
import { composeMessage } from './message.ts'

/** Wraps an envelope in a forward message for each mediator on the way, the last hop innermost. */
export const wrapForRoute = (
  envelope: string,
  recipientKey: string,
  routingKeys: readonly string[],
  newId: () => string,
): string => {
  let [message, target] = [envelope, recipientKey]
  for (const key of routingKeys) {
    const forward = composeMessage({
      id: newId(),
      type: 'routing/1.0/forward',
      to: target,
      msg: JSON.parse(message) as unknown,
    })
    message = pack(forward, [key], null)
    target = key
  }
  return message
}
