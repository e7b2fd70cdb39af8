// node bootstrap/run.mjs tools/vendors/main.ts SETTINGS-FILE plays the vendors that the file names until SIGTERM. It says
// where each listens, and where tests give it orders, in one line of JSON.
import { readFileSync } from 'node:fs'
import { type AwsOptions, startAws } from './aws/start-aws.ts'
import { type AzureOptions, startAzure } from './azure/start-azure.ts'

/** What stands in the file. */
export type VendorSettings = { readonly aws?: AwsOptions; readonly azure?: AzureOptions }

type Address = { readonly url: string; readonly controlUrl: string }

/** What the line says. */
export type VendorAddresses = { readonly aws?: Address; readonly azure?: Address }

const [file = ''] = process.argv.slice(2)
const settings = JSON.parse(readFileSync(file, 'utf8')) as VendorSettings
const aws = settings.aws && (await startAws(settings.aws))
const azure = settings.azure && (await startAzure(settings.azure))

const addresses: VendorAddresses = {
  ...(aws && { aws: { url: aws.url, controlUrl: aws.controlUrl } }),
  ...(azure && { azure: { url: azure.url, controlUrl: azure.controlUrl } }),
}
process.stdout.write(`${JSON.stringify(addresses)}\n`)

const stop = (): void => void Promise.all([aws?.stop(), azure?.stop()]).then(() => process.exit(0))
process.once('SIGTERM', stop)
process.once('SIGINT', stop)
