const NAME = 'vouchsafe.reloaded'
const APART_MS = 10_000

/**
 * A page that is opened after the service was renewed asks for files that are not there any more: then the console is
 * loaded anew, once, and what was typed is there again.
 */
export const orReload = async <Module>(load: () => Promise<Module>): Promise<Module> => {
  try {
    return await load()
  } catch (error) {
    if (Date.now() - Number(sessionStorage.getItem(NAME) ?? 0) < APART_MS) throw error
    sessionStorage.setItem(NAME, String(Date.now()))
    location.reload()
    return new Promise<Module>(() => undefined)
  }
}
