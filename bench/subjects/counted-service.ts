// The service as it runs in production, its messages between threads counted from the first one on.
export { measureBytes, messagesSoFar, threadUse } from './thread-messages.ts'
export * from './exchange-service.ts'
