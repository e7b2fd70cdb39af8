import { Argument, type Command } from 'commander'
import type { Environment } from '../config/config.ts'
import { action } from './action.ts'
import { type AccessOptions, apiAccess, plainText, postToApi, withApiAccess } from './api-access.ts'

type Input = AccessOptions & { readonly event: string }

/** Tries a receiver without anything having to happen. */
export const registerTrigger = (
  program: Command,
  environment: Environment,
  eventTypes: readonly string[],
): void => {
  const trigger = program
    .command('trigger')
    .description('send a made-up event to those who listen; no webhook endpoint gets it')
    .addArgument(new Argument('<event>', 'its type').choices(eventTypes))
  withApiAccess(trigger).action(
    action<Input>(async ({ event: eventType, ...given }, output) => {
      const answer = await postToApi(apiAccess(environment, given), '/v1/events/trigger', { eventType })
      const id = plainText(String(answer['id']))
      const createdAt = plainText(String(answer['createdAt']))
      const listeners = Number(answer['listeners'])
      const value = { id, type: eventType, createdAt, listeners }
      output.result(value, `${id}  ${eventType}  ${reached(listeners)}`)
    }),
  )
}

const reached = (listeners: number): string => {
  if (listeners === 0) return 'nobody listens (vouchsafe listen)'
  return listeners === 1 ? 'to 1 listener' : `to ${listeners} listeners`
}
