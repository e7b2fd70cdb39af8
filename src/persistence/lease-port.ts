export type { LeaseStore, NodeLease } from '../actors/lease-port.ts'
