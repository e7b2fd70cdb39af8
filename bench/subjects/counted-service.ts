// The service as it runs in production, its messages between threads counted.
import './thread-messages.ts'

export * from './exchange-service.ts'
export { measureBytes, messagesSoFar, threadUse } from './thread-messages.ts'
