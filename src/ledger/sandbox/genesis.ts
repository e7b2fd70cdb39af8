import { createHash } from 'node:crypto'
import type { Identity } from './identities.ts'

export type PoolNode = { readonly alias: string; readonly identity: Identity; readonly clientPort: number }

/** The pool ledger, with a NODE transaction for each validator. Clients get these lines as their genesis file. */
export const poolTransactions = (nodes: readonly PoolNode[], host: string): Record<string, unknown>[] =>
  nodes.map((node, index) => ({
    reqSignature: {},
    txn: {
      data: {
        data: {
          alias: node.alias,
          client_ip: host,
          client_port: node.clientPort,
          node_ip: host,
          // The nodes of this pool share one process and never connect to each other; clients only require the field.
          node_port: node.clientPort,
          services: ['VALIDATOR'],
        },
        dest: node.identity.verkey,
      },
      metadata: { from: node.identity.did },
      type: '0',
    },
    txnMetadata: { seqNo: index + 1, txnId: createHash('sha256').update(node.identity.verkey).digest('hex') },
    ver: '1',
  }))

export const genesisText = (transactions: readonly unknown[]): string =>
  transactions.map((transaction) => `${JSON.stringify(transaction)}\n`).join('')
