import { startNodeServer } from '../../../src/http/node-server.ts'
import { serverSuite } from './server-suite.ts'
import { tlsSuite } from './tls-suite.ts'

serverSuite('node', startNodeServer)
tlsSuite('node', startNodeServer)
