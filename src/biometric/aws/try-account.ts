import { randomUUID } from 'node:crypto'
import type { Obstacle, Trial } from '../../ports/face-vendor.ts'
import { trialPicture } from '../trial-picture.ts'
import type { AwsAccount } from './aws-account.ts'
import type { AwsCalls } from './aws-calls.ts'
import type { AwsFailure } from './aws-refusals.ts'

type Tried = { readonly account: AwsAccount; readonly signal: AbortSignal }

/**
 * Does once what a check does, with a picture of nothing and a session that nobody will use. Every right is tried,
 * also behind one that is missing, so that an organisation learns of all of them at once.
 */
export const tryAwsAccount = async (calls: AwsCalls, tried: Tried): Promise<Trial> => {
  const obstacles: Obstacle[] = []
  const lent = await calls.lend(tried)
  if ('obstacle' in lent) obstacles.push(lent.obstacle)
  if (obstacles.some(isOfEveryCall)) return { obstacles }
  const session = await calls.createSession(null, tried)
  if (typeof session !== 'string') obstacles.push(session.obstacle)
  if (obstacles.some(isOfEveryCall)) return { obstacles }
  const results = await calls.results(typeof session === 'string' ? session : randomUUID(), tried)
  if (isMissing(results, 'SessionNotFoundException')) obstacles.push(results.obstacle)
  const { bytes } = trialPicture()
  const compared = await calls.compare({ source: bytes, target: bytes }, tried)
  if (isMissing(compared, 'InvalidParameterException')) obstacles.push(compared.obstacle)
  return { obstacles }
}

/** With these each further call says the same. */
const isOfEveryCall = (obstacle: Obstacle): boolean =>
  obstacle.kind === 'away' || ['key', 'region', 'endpoint', 'clock'].includes(obstacle.what)

/** A right that is there is also shown by the answer that there is no such session, or no face. */
const isMissing = (answer: object, expected: string): answer is AwsFailure =>
  'obstacle' in answer && (answer as AwsFailure).code !== expected
