import { isIP } from 'node:net'
import { InvalidArgumentError } from 'commander'
import { isGlobal } from '../../egress/address.ts'
import { EgressRefused } from '../../egress/failures.ts'
import { Names, systemNames } from '../../egress/names.ts'
import { targetOf } from '../../egress/target.ts'

/** The receiver of a developer is on this machine or in its own network. */
export const EGRESS = { allowPrivateTargets: true, socketsPerHostMax: 4 }

/** The address that the command was told, as it is posted to. */
export const receiver = (text: string): string => {
  if (!/^https?:\/\//i.test(text))
    throw new InvalidArgumentError(
      'It must begin with http:// or https://, such as http://localhost:3000/hook.',
    )
  try {
    return targetOf(text, EGRESS).href
  } catch (error) {
    if (error instanceof EgressRefused)
      throw new InvalidArgumentError(`It cannot be posted to: ${error.message}.`)
    throw error
  }
}

/** Throws where what events say of people would go through the internet in clear. */
export const refuseInClear = async (url: string): Promise<void> => {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || !(await addressesOf(hostname.replace(/^\[|\]$/g, ''))).some(isGlobal)) return
  throw new Error(
    `${url} is on the internet, and not https: personal data does not travel in clear. Name an https address, or one of this machine.`,
  )
}

/** None where the name is unknown for now, which each attempt says then. */
const addressesOf = async (host: string): Promise<readonly string[]> => {
  if (isIP(host) !== 0) return [host]
  const names = new Names({ ...systemNames, searchesDomains: EGRESS.allowPrivateTargets })
  try {
    return (await names.addressesOf(host)).map(({ address }) => address)
  } catch {
    return []
  } finally {
    names[Symbol.dispose]()
  }
}
