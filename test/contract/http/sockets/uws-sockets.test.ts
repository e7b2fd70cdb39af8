import { startUwsServer } from '../../../../src/http/server/uws-server.ts'
import { socketLimitSuite } from './socket-limit-suite.ts'
import { socketSuite } from './socket-suite.ts'
import { upgradeSuite } from './upgrade-suite.ts'

upgradeSuite('uws', startUwsServer)
socketSuite('uws', startUwsServer)
socketLimitSuite('uws', startUwsServer)
