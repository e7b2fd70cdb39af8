import { startNodeServer } from '../../../../src/http/server/node-server.ts'
import { socketLimitSuite } from './socket-limit-suite.ts'
import { socketSuite } from './socket-suite.ts'
import { upgradeSuite } from './upgrade-suite.ts'

upgradeSuite('node', startNodeServer)
socketSuite('node', startNodeServer)
socketLimitSuite('node', startNodeServer)
