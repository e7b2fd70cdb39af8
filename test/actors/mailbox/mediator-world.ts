import { mailboxKind } from '../../../src/actors/mailbox/index.ts'
import { inviteWallet } from '../../../src/actors/mailbox/invite.ts'
import { WalletMediator } from '../../../src/actors/mailbox/mediator.ts'
import { openRoutingKey } from '../../../src/actors/mailbox/mediator-ports.ts'
import { mailbox, mailboxOf, type MailboxRecord } from '../../../src/actors/mailbox/state.ts'
import { mediatedKeyKind } from '../../../src/actors/mediated-key/index.ts'
import { walletKind } from '../../../src/actors/wallet/index.ts'
import { wallet, type WalletRecord } from '../../../src/actors/wallet/rules.ts'
import type { Received } from '../../../src/didcomm/opened-envelope.ts'
import { isRefused, type Refused } from '../../../src/domain/decider.ts'
import { SHARD_COUNT } from '../../../src/domain/references.ts'
import { AskFailed, type Actors } from '../../../src/ports/actors.ts'
import type { MailboxWatch, OnMessage } from '../../../src/ports/mailbox-watch.ts'
import type { MediatorSession, Phone, PushMode } from '../../../src/ports/mediator.ts'
import { actorsOf } from '../../host/parts/actors-that.ts'
import { MemoryBodies } from '../../host/parts/memory-bodies.ts'
import { MemoryJournal } from '../../host/parts/memory-journal.ts'
import { MemoryVault } from '../../host/parts/memory-vault.ts'
import { openHost } from '../../host/parts/open-host.ts'
import { testRuntime } from '../../host/parts/test-runtime.ts'
import { givenPorts } from '../given-ports.ts'
import { HandMadeWallet, openWith } from './hand-made-wallet.ts'

const tenant = 'ten_00aaaaaaaa'
const SHARDS = Array.from({ length: SHARD_COUNT }, (_, shard) => shard)

/** The mediator and its kinds on a real host in memory, which can be started anew. */
export const mediatorWorld = async () => {
  const runtime = testRuntime()
  const journal = new MemoryJournal()
  const vault = new MemoryVault()
  const bodies = new MemoryBodies()
  const listeners = new Map<string, OnMessage>()
  const announced: string[] = []
  const reported: string[] = []
  const mailboxWatch: MailboxWatch = {
    announce: async (address) => {
      announced.push(address)
      return (await listeners.get(address)?.()) ?? false
    },
    watch: async (address, onMessage) => {
      listeners.set(address, onMessage)
      return { [Symbol.dispose]: () => void listeners.delete(address) }
    },
  }
  let host: Awaited<ReturnType<typeof openHost>>
  const real = actorsOf(() => host.host)
  const read = (ref: string, ...more: unknown[]): unknown =>
    ref === tenant ? { status: 'active' } : (real.read as (...asked: unknown[]) => unknown)(ref, ...more)
  const losing = new Set<string>()
  const ask = async (
    ref: string,
    command: { readonly type: string },
    ...more: unknown[]
  ): Promise<unknown> => {
    const reply = await (real.ask as (...asked: unknown[]) => Promise<unknown>)(ref, command, ...more)
    if (losing.delete(command.type)) throw new AskFailed('unavailable', 'the answer was lost', 1)
    return reply
  }
  const actors = { ...real, read, ask } as Actors
  const publicUrl = () => 'https://mediator.example'
  let isUpgraded = true
  const allOpenWithKeysOfExchanges = (): boolean => isUpgraded
  const parts = { actors, runtime, vault, bodies, publicUrl, mailboxWatch, allOpenWithKeysOfExchanges }
  const kinds = [walletKind, mailboxKind, mediatedKeyKind]
  const routingKey = await openRoutingKey(vault)
  let mediator: WalletMediator
  const open = async (): Promise<void> => {
    const definitions = kinds.map((kind) => kind.definition(givenPorts(parts)))
    host = await openHost(journal, { definitions, vault, bodies, runtime, shards: SHARDS })
    const reportLost = (mailboxId: string): void => void reported.push(mailboxId)
    mediator = new WalletMediator({ ...parts, routingKey, reportLost })
  }
  await open()

  /** What every POST was answered, beside the envelopes that came back. */
  const received: Received[] = []
  const post = async (address: string, envelope: string): Promise<string | null> => {
    const path = new URL(address).pathname.split('/')[2] ?? null
    const answer = await mediator.receive(path, envelope)
    received.push(answer)
    return typeof answer === 'object' && 'answer' in answer ? answer.answer : null
  }
  let wallets = 0
  const newWallet = async (): Promise<string> => {
    const ref = wallet.newRef(++wallets % SHARD_COUNT, `wallet00${wallets}`)
    const facts = { tenant, installationId: `i${wallets}`, externalId: 'guest', tokenHash: 'h' }
    const command = { type: 'IssueWalletToken', atMs: runtime.now(), ...facts } as const
    await actors.ask(ref, command, { commandId: `create:${ref}`, tenant })
    return ref
  }
  const invite = async (walletId: string): Promise<string> => {
    const invited = await inviteWallet({ actors, runtime, publicUrl }, { tenant, walletId })
    if (isRefused(invited)) throw new Error(invited.reason)
    return invited.invitationUrl
  }
  return {
    actors,
    runtime,
    bodies,
    vault,
    journal,
    announced,
    mailboxWatch,
    publicUrl,
    allOpenWithKeysOfExchanges,
    /** Whether no node of the release before is there any more. */
    upgraded: (isIt: boolean) => void (isUpgraded = isIt),
    /** The next answer to such a command does not come, although all of it was done. */
    loseAnswer: (type: string) => void losing.add(type),
    /** Mailboxes of which messages are missing. */
    reported,
    /** A live session of the wallet. */
    listen: (address: string, onMessage: OnMessage) => mailboxWatch.watch(address, onMessage),
    received,
    routingKey: routingKey.publicKeyBase58,
    get mediator() {
      return mediator
    },
    post,
    forward: (envelope: string): Promise<Received> => mediator.receive(null, envelope),
    newWallet,
    invite,
    phone: () => new HandMadeWallet(post),
    /** A wallet whose phone has connected. */
    connected: async () => {
      const walletId = await newWallet()
      const phone = new HandMadeWallet(post)
      await phone.connect(await invite(walletId))
      return { walletId, phone, address: mailboxOf(walletId) }
    },
    mailboxRecord: async (address: string): Promise<MailboxRecord> =>
      found(await actors.read(mailbox.ref(address))),
    /** The phone that has this mailbox now. */
    phoneOf: async (address: string): Promise<Phone> => {
      const { connection } = found(await actors.read(mailbox.ref(address)))
      return { mailbox: address, connection: connection?.ownKey ?? '' }
    },
    walletRecord: async (walletId: string): Promise<WalletRecord> =>
      found(await actors.read(wallet.ref(walletId))),
    revoke: (walletId: string) =>
      actors.ask(
        wallet.ref(walletId),
        { type: 'RevokeWallet', atMs: runtime.now(), tenant },
        { commandId: `revoke:${walletId}`, tenant },
      ),
    /** A socket of the wallet, and what happens on it. */
    socket: (address: string | null) => {
      const heard: (PushMode | null)[] = []
      const opened: string[] = []
      const session: MediatorSession = {
        address,
        isSocket: true,
        get mode() {
          return heard.at(-1) ?? null
        },
        opened: (phone) => void opened.push(phone.mailbox),
        push: (_, mode) => void heard.push(mode),
      }
      const phoneOn = (own: HandMadeWallet) =>
        new HandMadeWallet(async (_, envelope) => {
          const { replies } = await mediator.handle(envelope, session)
          return replies[0] ?? null
        }, own.own)
      return { session, heard, opened, phoneOn }
    },
    open: openWith,
    restart: async (): Promise<void> => {
      await host.host[Symbol.asyncDispose]()
      await open()
    },
    /** As if the record had never been. */
    remove: async (address: string): Promise<void> => {
      await host.host.remove(address)
      vault.unknown.add(address)
    },
    faults: () => host.faults,
    close: () => host.host[Symbol.asyncDispose](),
  }
}

const found = <Record>(record: Record | Refused): Record => {
  if (isRefused(record)) throw new Error(record.reason)
  return record
}
