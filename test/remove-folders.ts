import { afterAll } from 'vitest'
import { removeTemporaryFolders } from './temporary-folder.ts'

// Runs before every test file, so this comes after all that the file does at its own end.
afterAll(removeTemporaryFolders)
