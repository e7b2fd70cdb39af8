/**
 * How those who hold a live session of a wallet hear that something came for its mailbox, on whichever node the session
 * is. Nothing is handed over this way but the word that there is something: who watches reads the mailbox.
 */
export interface MailboxWatch {
  /**
   * Something may have come for the mailbox, or it was removed: everyone who watches it hears of that. Resolves, within
   * a time that the implementation bounds, with whether one of them has taken what there is; false where no one
   * watches, or none was reached. Never rejects. Not heard is not lost: what is not acknowledged is still there.
   */
  announce(mailbox: string): Promise<boolean>
  /**
   * Resolves when nothing that is announced from then on is missed. `onMessage` is also called where it may have been
   * missed before (the mailbox's shard has moved, a link was broken), so there may be nothing behind it; it answers
   * whether the session has taken what there was, and a throw counts as no.
   */
  watch(mailbox: string, onMessage: OnMessage): Promise<Watching>
}

export type OnMessage = () => boolean | Promise<boolean>

/** Ends with `Symbol.dispose`; after that `onMessage` is not called any more. */
export interface Watching extends Disposable {}
