// Rewrites tools/infra/jars.json: asks Maven (only here is it needed) what the two servers run on, and pins it.
import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const servers = {
  cassandra: ['org.apache.cassandra:cassandra-all:5.0.9'],
  // Kafka's own jar leaves the choice of a logger to the distribution.
  kafka: [
    'org.apache.kafka:kafka_2.13:3.9.2',
    'ch.qos.reload4j:reload4j:1.2.25',
    'org.slf4j:slf4j-reload4j:1.7.36',
  ],
}

const project = (coordinates: readonly string[]): string => {
  const dependencies = coordinates.map((coordinate) => {
    const [group, artifact, version] = coordinate.split(':')
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
  })
  return `<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion><groupId>pins</groupId><artifactId>pins</artifactId><version>1</version><packaging>pom</packaging><dependencies>${dependencies.join('')}</dependencies></project>`
}

const resolve = (coordinates: readonly string[]): Record<string, string> => {
  const folder = mkdtempSync(join(tmpdir(), 'vouchsafe-pins-'))
  try {
    writeFileSync(join(folder, 'pom.xml'), project(coordinates))
    const target = join(folder, 'jars')
    const flags = ['-DincludeScope=runtime', `-DoutputDirectory=${target}`, '-Dmdep.useRepositoryLayout=true']
    execFileSync('mvn', ['-q', '-B', 'dependency:copy-dependencies', ...flags], {
      cwd: folder,
      stdio: 'inherit',
    })
    const paths = readdirSync(target, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.jar'),
    )
    return Object.fromEntries(
      paths.toSorted().map((path) => [path, hash('sha256', readFileSync(join(target, path)))]),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const comment =
  'Made by tools/pin-jars.ts with Maven: every jar the two servers run on, as its path in a Maven repository and its SHA-256.'
const pins = Object.fromEntries(
  Object.entries(servers).map(([name, coordinates]) => [name, { coordinates, jars: resolve(coordinates) }]),
)
writeFileSync(
  fileURLToPath(new URL('infra/jars.json', import.meta.url)),
  `${JSON.stringify({ comment, ...pins }, null, 2)}\n`,
)
