import type { LinkPeer } from '../../ports/node-link.ts'

export type AllSpeakPorts = {
  /** The other nodes that live, as this one has last seen them. */
  readonly livingNodes: () => readonly string[]
  readonly peers: () => readonly Pick<LinkPeer, 'node' | 'speaks'>[]
}

/**
 * Whether every other node speaks this version of the link, so that what the versions before it cannot read may be written.
 * One that lives and was never connected may be of any release. One that only comes has no shards yet, and soon will.
 */
export const allSpeak = ({ livingNodes, peers }: AllSpeakPorts, version: number): boolean => {
  const spoken = new Map(peers().map(({ node, speaks }) => [node, speaks]))
  for (const speaks of spoken.values()) if (speaks !== null && speaks < version) return false
  return livingNodes().every((node) => (spoken.get(node) ?? 0) >= version)
}
