import type { CalledBackLine, DeletionLine, OrganisationLine, PeriodLine } from './erasure-file.ts'

/** The newest line of each type for every organisation, in whichever file it stands. */
export class OrganisationLines {
  readonly periods = new Map<string, PeriodLine>()
  readonly deletions = new Map<string, DeletionLine>()
  readonly calledBack = new Map<string, CalledBackLine>()

  add(line: OrganisationLine): void {
    if ('changedAt' in line) keepNewest(this.periods, line, 'changedAt')
    else if ('deletionOrderedAt' in line) keepNewest(this.deletions, line, 'deletionOrderedAt')
    else keepNewest(this.calledBack, line, 'deletionCalledBackAt')
  }
}

const keepNewest = <Time extends string, Line extends Record<Time | 'organisation', string>>(
  lines: Map<string, Line>,
  line: Line,
  time: Time,
): void => {
  const known = lines.get(line.organisation)
  if (known === undefined || known[time] < line[time]) lines.set(line.organisation, line)
}
