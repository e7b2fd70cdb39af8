// The Credo mediator in a process of its own. Its storage is that of our SDK: Credo's own (Askar) encrypts every record and
// costs more.
import { type Forwarding, openCredoMediator } from '../../sdk/mediator/credo-mediator.ts'

let mediator: Awaited<ReturnType<typeof openCredoMediator>> | null = null

export async function start(forwarding: Forwarding): Promise<void> {
  mediator = await openCredoMediator(forwarding)
}

export async function invite(count: number): Promise<string[]> {
  if (mediator === null) throw new Error('the mediator has not been started')
  const urls: string[] = []
  for (let index = 0; index < count; index += 1) urls.push(await mediator.invite())
  return urls
}
