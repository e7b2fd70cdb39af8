/**
 * The end-to-end tests that are not run against a cluster that is there, each with the reason: they do something to their
 * service that others on it would suffer from, or that nobody can do from outside.
 */
export const ownService: Readonly<Record<string, string>> = {
  'bodies.test.ts':
    'looks at the file of bodies, which only a service on SQLite has, a thousand times a second',
  'both-formats.test.ts': 'changes what its service offers, which the product never does',
  'clocked-flows.test.ts': 'sets the clock and the nonces of its service, and the ledger it uses',
  'face-checks.test.ts': 'needs vendors of face checks of its own, at addresses that nodes do not call',
  'forgetting.test.ts': 'looks through all files of its Cassandra, which keeps them uncompressed for that',
  'hostile-vendors.test.ts': 'sets the clock of its service, and plays its vendors of face checks',
  'killed-offers.test.ts': 'kills its service',
  'killed-service.test.ts': 'kills its service; the campaigns kill nodes',
  'note.test.ts': 'gives its service a kind of record that the product does not have',
  'npm-start.test.ts': 'is about the start and the end of a process',
  'replayed-erasures.test.ts': 'stops its service, and puts a backup in the place of its data',
  'scanned-faces.test.ts':
    'looks through all files of its stores, and needs a vendor of face checks of its own',
  'scanned-mailbox.test.ts': 'looks through all files of its stores',
  'scanned-offers.test.ts':
    'looks through all files of its stores, and gives a job an item that nobody can read',
  'scanned-everywhere.test.ts': 'kills its service, and puts a backup in the place of its journal',
  'sdk-away.test.ts': 'stops its service, and starts it again',
  'sdk-face-checks.test.ts': 'needs vendors of face checks of its own, at addresses that nodes do not call',
  'sdk-day.test.ts': 'sets the clock of its service',
  'sdk-package.test.ts':
    'is about an app in a process of its own, which knows no other authority than those of all',
  'sdk-terminal.test.ts': 'is about what a person does who has just said npm start',
  'sdk-walk.test.ts': 'begins with npm start',
}
