import { startService } from './started-service.ts'

/** The whole service as it runs in production; answers with its port. */
export async function start(environment: Readonly<Record<string, string>>): Promise<number> {
  const { url } = await startService(environment)
  return Number(new URL(url).port)
}
