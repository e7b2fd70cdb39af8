/**
 * What has the focus may go: the row of a record that was removed, a button whose order is done. The browser leaves the
 * focus nowhere then, and whoever works with the keyboard begins at the top. Here the focus goes to the row that stands
 * there now, and where no row does to the heading. No other button gets the focus: a second press would press that button.
 */
export const keepFocus = (): (() => void) => {
  let last: Element | null = null
  const came = ({ target }: FocusEvent): void => {
    last = target instanceof Element ? target : null
  }
  const went = (): void =>
    queueMicrotask(() => {
      // Somebody put the focus elsewhere; no page took it from them.
      if (isNowhere() && last?.isConnected === true) last = null
    })
  const observer = new MutationObserver((changes) => {
    if (last === null || last.isConnected || !isNowhere()) return
    const gone = last
    last = null
    const change = changes.find(({ removedNodes }) => [...removedNodes].some((node) => node.contains(gone)))
    const place = change && placeFor(change)
    if (!place) return
    place.tabIndex = -1
    place.focus()
  })
  document.addEventListener('focusin', came)
  document.addEventListener('focusout', went)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', came)
    document.removeEventListener('focusout', went)
  }
}

const ROW = 'tbody tr, main li'

const isNowhere = (): boolean => document.activeElement === null || document.activeElement === document.body

const placeFor = ({ target, nextSibling, previousSibling }: MutationRecord): HTMLElement | null => {
  const around = target instanceof Element ? target : null
  const beside = [nextSibling, previousSibling].filter((node) => node instanceof HTMLElement)
  const row =
    beside.find((node) => node.isConnected && node.matches(ROW)) ?? around?.closest<HTMLElement>(ROW)
  const part = around?.closest('dialog, section, main') ?? document.querySelector('main')
  return row ?? part?.querySelector<HTMLElement>('h1, h2') ?? document.querySelector<HTMLElement>('h1')
}
