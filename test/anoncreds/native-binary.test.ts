import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { loadNative, nativeBinaries, NativeUnavailable } from '../../src/anoncreds/native-binary.ts'
import { temporaryFolder } from '../temporary-folder.ts'

const fileWith = (content: string, hash?: string): URL => {
  const path = join(temporaryFolder('vouchsafe-native'), 'engine.node')
  writeFileSync(path, content)
  if (hash !== undefined) writeFileSync(`${path}.sha256`, hash)
  return pathToFileURL(path)
}

describe('the engine binary', () => {
  it('is refused when its bytes do not match their SHA-256', () => {
    expect(() => loadNative([fileWith('changed', '0'.repeat(64))])).toThrow('does not match its SHA-256')
  })

  it('is refused without a SHA-256 beside it', () => {
    expect(() => loadNative([fileWith('anything')])).toThrow('no SHA-256 beside it')
  })

  it('that is no library is unavailable, not a crash', () => {
    const hash = createHash('sha256').update('x').digest('hex')
    expect(() => loadNative([fileWith('x', hash)])).toThrow('does not load here')
  })

  it('is unavailable where no candidate exists', () => {
    expect(() => loadNative([new URL('file:///nowhere/engine.node')])).toThrow(NativeUnavailable)
  })

  it('is found without a look at the network', () => {
    nativeBinaries()
    const { excludeNetwork } = process.report as { readonly excludeNetwork?: boolean }
    expect(excludeNetwork ?? false).toBe(process.platform === 'linux')
  })

  it('of this checkout comes before the shipped one', () => {
    const [built, shipped] = nativeBinaries()
    expect(built?.pathname).toMatch(/cl-engine\/target\/cl-engine\.node$/)
    expect(shipped?.pathname).toMatch(/cl-engine\/prebuilt\/cl-engine\.\w+-\w+(-\w+)?\.node$/)
  })
})
