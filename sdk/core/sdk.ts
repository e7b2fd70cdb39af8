import { type BiometricCapture, BiometricCaptures } from './biometric-capture.ts'
import { Listeners, type WalletEventName, type WalletEvents } from './events.ts'
import type { Candidates, Selection } from './holder/candidates.ts'
import type { Connection } from './holder/connections.ts'
import type { Credential } from './holder/credentials.ts'
import type { FaceCheck } from './holder/face-checks.ts'
import type { Offer } from './holder/offers.ts'
import type { ProofRequest } from './holder/proof-requests.ts'
import type { Synced } from './mail/mail.ts'
import { type Setup, SetupRow } from './mail/setup.ts'
import { type Addresses, withoutEnd } from './network/addresses.ts'
import { readLedgerFacts } from './network/ledger-facts.ts'
import { PlatformClient, type TokenProvider } from './network/platform-client.ts'
import { Questions } from './network/questions.ts'
import { Polling } from './polling.ts'
import type { Platform, WalletStorage } from './ports.ts'
import { RowStore } from './rows/row-store.ts'
import { type OpenWallet, openWallet, type RunningWallet } from './running-wallet.ts'
import { asWalletError, WalletError } from './wallet-error.ts'

export type InitializeOptions = {
  /** Of the platform, over https. */
  readonly baseUrl: string
  readonly tokenProvider: TokenProvider
  readonly storage: WalletStorage
  /** What organisations see of the holder; keep it free of personal data. */
  readonly label?: string
  /** Keys (PEM) that may sign the genesis file. Left out, the one that the platform names at the first start is believed. */
  readonly trustedSigningKeys?: readonly string[]
}

/**
 * A holder's wallet, as an app uses it. Every call rejects with a `WalletError`, and with nothing else. Calls that decide
 * something have decided it when they come back, network or not; what they send arrives then or with a later sync.
 */
export class Sdk {
  readonly #platform: Platform
  readonly #isAllowed: Addresses
  readonly #openWallet: OpenWallet
  readonly #listeners = new Listeners()
  readonly #polling: Polling
  #opening: Promise<RunningWallet> | null = null
  /** What is still being closed or removed: before that is over nothing is opened. */
  #leaving: Promise<unknown> = Promise.resolve()
  #isOpen = false
  #storage: WalletStorage | null = null
  #isInBackground = false
  readonly #captures = new BiometricCaptures()

  constructor(platform: Platform, isAllowed: Addresses, open: OpenWallet = openWallet) {
    this.#platform = platform
    this.#isAllowed = isAllowed
    this.#openWallet = open
    this.#polling = new Polling(platform.clock, () => this.#syncAsPolled())
  }

  /**
   * Opens the wallet, or makes it. Only the first time it needs the network: it reads the ledger and the invitation to the
   * mediator, once. Then it fetches messages every ten seconds, unless the app is in the background. Called again it
   * changes nothing, but that it opens a wallet again which could not store something.
   */
  async initialize(options: InitializeOptions): Promise<void> {
    return await this.#guarded(async () => {
      await this.#closeBrokenOff()
      if (this.#opening === null) this.#storage = options.storage
      else if (this.#storage?.name !== options.storage.name)
        throw new WalletError('Internal', 'another wallet is open: close() it first', {
          code: 'other_storage',
        })
      const opening = (this.#opening ??= this.#open(options))
      try {
        await opening
      } catch (error) {
        if (this.#opening === opening) this.#opening = null
        throw error
      }
      if (this.#opening !== opening) throw notInitialized()
      this.#isOpen = true
      if (!this.#isInBackground) this.#polling.start()
    })
  }

  async #closeBrokenOff(): Promise<void> {
    const opened = this.#isOpen ? await this.#opening : null
    if (opened?.isBrokenOff()) await this.close()
  }

  /** Connects with the organisation that made this link. `connectionChanged` tells when it has answered. */
  receiveInvitation(invitationUrl: string): Promise<Connection> {
    return this.#with(({ connections }) => connections.receive(invitationUrl))
  }

  /** The newest first. */
  connections(): Promise<readonly Connection[]> {
    return this.#with(({ connections }) => connections.list())
  }

  readonly offers = {
    list: (): Promise<readonly Offer[]> => this.#with(({ offers }) => offers.list()),
    accept: (id: string): Promise<Offer> => this.#with(({ offers }) => offers.accept(id)),
    decline: (id: string): Promise<void> => this.#with(({ offers }) => offers.decline(id)),
  }

  readonly credentials = {
    list: (): Promise<readonly Credential[]> => this.#with(({ credentials }) => credentials.list()),
    get: (id: string): Promise<Credential> => this.#with(({ credentials }) => credentials.get(id)),
    delete: (id: string): Promise<void> => this.#with(({ credentials }) => credentials.delete(id)),
  }

  readonly proofRequests = {
    list: (): Promise<readonly ProofRequest[]> => this.#with(({ proofRequests }) => proofRequests.list()),
    candidates: (id: string): Promise<Candidates> =>
      this.#with(({ proofRequests }) => proofRequests.candidates(id)),
    select: (id: string): Promise<Selection> => this.#with(({ proofRequests }) => proofRequests.select(id)),
    present: (id: string, selection?: Selection): Promise<ProofRequest> =>
      this.#with(({ proofRequests }) => proofRequests.present(id, selection)),
    decline: (id: string): Promise<void> => this.#with(({ proofRequests }) => proofRequests.decline(id)),
  }

  /** Checks of the face that organisations ask for. */
  readonly faceChecks = {
    list: (): Promise<readonly FaceCheck[]> => this.#with(({ faceChecks }) => faceChecks.list()),
    run: (id: string): Promise<void> => this.#with(({ faceChecks }) => faceChecks.run(id)),
  }

  /** Sends what waits and fetches what has come; what a push that wakes the app is answered with. */
  sync(): Promise<Synced> {
    return this.#with(({ mail }) => mail.sync())
  }

  /** From now on messages are fetched every ten seconds. It is so from the beginning, unless `background` was called. */
  foreground(): void {
    this.#isInBackground = false
    if (this.#isOpen) this.#polling.start()
  }

  /** Nothing is fetched by itself any more; `sync()` still does. Resolves when nothing is under way. */
  background(): Promise<void> {
    this.#isInBackground = true
    this.#polling.stop()
    return this.#guarded(async () => {
      const opened = await this.#opening?.catch(() => null)
      await opened?.mail.inTurn(async () => undefined)
    })
  }

  /** Lets go of everything that is open; the wallet stays, and `initialize` opens it again. */
  close(): Promise<void> {
    return this.#guarded(() => this.#leave(async () => undefined))
  }

  /** Removes the wallet with all its credentials, for good; also one that `initialize` could not open. */
  reset(): Promise<void> {
    return this.#guarded(async () => {
      const storage = this.#storage
      if (storage === null) throw notInitialized()
      await this.#leave(async () => {
        await storage.erase()
        await this.#platform.secureKeys.remove(storage.name)
      })
    })
  }

  /** The add-on that takes pictures of the holder, where an organisation wants a check of the face. */
  registerBiometricCapture(capture: BiometricCapture): void {
    this.#captures.add(capture)
  }

  /** Whether there is such an add-on. */
  get hasBiometricCapture(): boolean {
    return this.#captures.count > 0
  }

  /** What comes back ends it. */
  on<Name extends WalletEventName>(name: Name, listener: (data: WalletEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** A reset that is tapped twice must not take the key of the wallet that was made after the first one. */
  #leave(afterwards: () => Promise<void>): Promise<void> {
    this.#polling.stop()
    this.#isOpen = false
    const opening = this.#opening
    this.#opening = null
    const left = this.#leaving.then(async () => {
      const opened = await opening?.catch(() => null)
      await opened?.close()
      await afterwards()
    })
    this.#leaving = left.catch(() => undefined)
    return left
  }

  async #open(options: InitializeOptions): Promise<RunningWallet> {
    await this.#leaving
    const wallet = await this.#opened(options)
    try {
      await wallet.mail.inTurn(() => wallet.mediator.ready())
      return wallet
    } catch (error) {
      await wallet.close()
      throw error
    }
  }

  async #opened(options: InitializeOptions): Promise<RunningWallet> {
    const { baseUrl, storage, tokenProvider } = options
    const questions = new Questions(this.#platform.network, this.#isAllowed)
    if (!this.#isAllowed(baseUrl))
      throw new WalletError('PlatformError', 'the base address of the platform is not https', {
        code: 'address_refused',
      })
    const client = new PlatformClient(questions, baseUrl, tokenProvider, this.#platform.clock)
    const rows = await RowStore.open(storage, this.#platform.secureKeys, this.#platform.cryptography)
    try {
      const setupRow = new SetupRow(rows)
      const setup = setupRow.stored() ?? (await this.#firstSetup(rows, setupRow, client, options))
      if (withoutEnd(setup.baseUrl) !== withoutEnd(baseUrl))
        throw new WalletError('PlatformError', `this wallet belongs to ${setup.baseUrl}`, {
          code: 'other_platform',
        })
      return await this.#openWallet({
        platform: this.#platform,
        listeners: this.#listeners,
        label: options.label ?? 'Wallet',
        rows,
        questions,
        client,
        setupRow,
        setup,
        captures: this.#captures,
      })
    } catch (error) {
      await rows.close()
      throw error
    }
  }

  /** The ledger never changes, so it is read once. */
  async #firstSetup(
    rows: RowStore,
    setupRow: SetupRow,
    client: PlatformClient,
    { baseUrl, trustedSigningKeys }: InitializeOptions,
  ): Promise<Setup> {
    const { cryptography } = this.#platform
    const ledger = await readLedgerFacts(client, {
      cryptography,
      trustedSigningKeys: trustedSigningKeys ?? null,
    })
    const setup: Setup = { baseUrl, ledger, mediator: null }
    await rows.step(async () => setupRow.put(setup))
    return setup
  }

  async #syncAsPolled(): Promise<void> {
    try {
      if (!this.#isInBackground) await this.sync()
    } catch (error) {
      this.#listeners.tell({ name: 'syncFailed', data: asWalletError(error) })
    }
  }

  #with<Result>(work: (wallet: RunningWallet) => Result | Promise<Result>): Promise<Result> {
    return this.#guarded(async () => {
      if (this.#opening === null) throw notInitialized()
      return await work(await this.#opening)
    })
  }

  async #guarded<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw asWalletError(error)
    }
  }
}

const notInitialized = (): WalletError => new WalletError('NotInitialized', 'the wallet is not open')
