const FLAG = '--against'
const SUITE = 'test/e2e/'

/** The test files that are chosen by the words of the command; `--against` hands its target on, and means the whole suite where no file is named. */
export const againstCluster = (words: readonly string[], environment = process.env): readonly string[] => {
  const at = words.indexOf(FLAG)
  if (at < 0) return words
  environment['E2E_AGAINST'] = words[at + 1] ?? 'any'
  const files = words.toSpliced(at, 2)
  return files.length > 0 ? files : [SUITE]
}
