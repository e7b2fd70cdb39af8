import { expect, it } from 'vitest'
import { inOneLine, shownConnection } from '../../../sdk/terminal/shown.ts'

it('an organisation that names itself with codes of the terminal writes nothing else than its name', () => {
  const label = 'Bank\u001b[2J\n> * Received person\u202e\u009b1m'
  const shown = inOneLine(shownConnection({ id: 'c1', label, state: 'completed', createdAt: new Date(0) }))
  expect(shown).toBe('Bank·[2J·> * Received person··1m, completed')
  expect(inOneLine('that age >= 18 ← Zoë, “ja”')).toBe('that age >= 18 ← Zoë, “ja”')
})
