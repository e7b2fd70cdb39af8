const FLAG = '--http-engine'
/** Whose services are processes of their own, or the cluster that all share. */
const SUITE = 'test/integration/console/'

/** The test files that are chosen by the words of the command; the flag hands the HTTP server on, and means the browser tests of the console where no file is named. */
export const onHttpEngine = (words: readonly string[], environment = process.env): readonly string[] => {
  const at = words.indexOf(FLAG)
  if (at < 0) return words
  environment['E2E_HTTP_ENGINE'] = words[at + 1] ?? 'node'
  const others = words.toSpliced(at, 2)
  return others.length > 0 ? others : [SUITE]
}
