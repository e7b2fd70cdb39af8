import { expect, it } from 'vitest'
import * as cql from '../../../src/persistence/cassandra/statements.ts'

it('a keyspace is replicated in the datacenter it is made in', () => {
  expect(cql.createKeyspace('journal', cql.replicationOf({ dc1: 3 }))).toBe(
    `CREATE KEYSPACE IF NOT EXISTS journal WITH replication = {'class': 'NetworkTopologyStrategy', 'dc1': 3}`,
  )
})

it('a keyspace has its copies in every datacenter that is named', () => {
  expect(cql.replicationOf({ west: 3, east: 2 })).toBe(
    "{'class': 'NetworkTopologyStrategy', 'west': 3, 'east': 2}",
  )
})

it('every statement of a migration may be repeated', () => {
  for (const each of cql.migrations.flat())
    expect(each).toMatch(/^(CREATE TABLE IF NOT EXISTS|ALTER TABLE \w+ ADD IF NOT EXISTS) /)
})

it('what orders itself by slot numbers says its write time, so that no clock decides', () => {
  const ordered = [
    cql.insertEvents,
    cql.writeSnapshot,
    cql.insertTimer,
    cql.deleteTimer,
    cql.insertHour,
    cql.deleteHour,
  ]
  const marks = [
    cql.writeCopiedNo,
    cql.writePublishedNo,
    cql.writeProjectedNo,
    cql.writeTimerAck,
    cql.writePosition,
  ]
  for (const each of [...ordered, ...marks]) expect(each).toContain('USING TIMESTAMP ?')
})

it('what grants ownership is conditional', () => {
  for (const each of [
    cql.insertSlot,
    cql.requireNotRetired,
    cql.retireSegment,
    cql.insertNode,
    cql.replaceNode,
  ])
    expect(each).toMatch(/\bIF (NOT EXISTS|\w+ = )/)
})

it('a deletion of bodies is later than any clock says, so that a late or wrong one brings none back', () => {
  const deletions = [
    cql.deleteBody,
    cql.deleteBodies,
    cql.deleteBodiesBefore,
    cql.deleteBodiesBetween,
    cql.deleteBodiesAfter,
  ]
  const aCentury = 100 * 365 * 86_400_000
  for (const each of deletions) {
    const [, micros] = /^DELETE FROM bodies USING TIMESTAMP (\d+) WHERE record = \?/.exec(each) ?? []
    expect(Number(micros)).toBeGreaterThan((Date.now() + aCentury) * 1_000)
    expect(Number(micros)).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER)
  }
})
