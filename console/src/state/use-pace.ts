import { usePerson } from './session.tsx'

/**
 * How often a page asks again by itself. An operator who acts for an organisation leaves a line in its audit log with
 * each request, so nothing is asked then that the person did not ask for.
 */
export const usePace = (everyMs: number): number => (usePerson().acting === null ? everyMs : 0)
