// First of all packages: they register the native libraries, and Credo's modules take what is registered when they load.
import { anoncreds } from '@hyperledger/anoncreds-nodejs'
import { indyVdr } from '@hyperledger/indy-vdr-nodejs'
import type { NativeLibraries } from '../core/ports.ts'

export const libraries: NativeLibraries = { anoncreds, indyVdr }
