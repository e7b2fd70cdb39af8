import chromium from '@sparticuz/chromium'

// A program of its own, because it unpacks into whatever TMPDIR names: the browser, fonts and libraries beside it.
await chromium.executablePath()
