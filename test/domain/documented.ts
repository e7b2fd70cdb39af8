import { readFileSync } from 'node:fs'

export const documentedWebhooks = (): string =>
  readFileSync(new URL('../../docs/WEBHOOKS.md', import.meta.url), 'utf8')
