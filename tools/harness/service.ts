import { Program } from './program.ts'

type Environment = Readonly<Record<string, string>>

/** Settings under which a campaign may call as often as it likes. */
export const unhindered: Environment = {
  PORT: '0',
  VOUCHSAFE_PRIVATE_PORT: '0',
  // The phones and the endpoints for webhooks are on this machine.
  VOUCHSAFE_ALLOW_PRIVATE_TARGETS: 'true',
  // The windows of the rate limit are kept all the same.
  VOUCHSAFE_API_KEY_REQUESTS_PER_MINUTE: '1000000',
  VOUCHSAFE_SESSION_REQUESTS_PER_MINUTE: '1000000',
}

/** The service as `npm start` runs it, or as another script does, in a process of its own. */
export const startService = (settings: Environment, script = 'src/main.ts'): Program => {
  const env = { ...process.env, ...unhindered, VOUCHSAFE_LOG_LEVEL: 'silent', ...settings }
  return new Program([script], { env })
}
