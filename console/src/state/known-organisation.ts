const NAME = 'vouchsafe.organisation'

/** The organisation that this browser signed in to last: an id that nobody should have to type twice. Nothing personal. */
export const knownOrganisation = {
  read: (): string => localStorage.getItem(NAME) ?? '',
  keep: (id: string | null): void => {
    if (id !== null) localStorage.setItem(NAME, id)
  },
}
