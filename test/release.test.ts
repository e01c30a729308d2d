import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import packageJson from '../package.json' with { type: 'json' }
import { sectionOf } from '../scripts/changelog.ts'
import { readMigrations } from '../server/lib/db/migrations.ts'

const script = join(import.meta.dirname, '../scripts/release.ts')
const changelog = `# Changelog

## [Unreleased]

### Added

- What is not released yet.

## [1.2.0] - 2026-11-20

### Fixed

- Posts with two pictures.

## [1.1.0] - 2026-10-01

- The first one.
`

let repository: string
let key: string
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'meydan-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  repository = join(folder, 'repository')
  key = join(folder, 'key')
  execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'releases', '-f', key])
  mkdirSync(join(repository, 'migrations'), { recursive: true })
  write('migrations/0007_seven.sql', 'select 1;')
  write('package.json', JSON.stringify({ version: '1.2.0' }))
  write('CHANGELOG.md', changelog)
  write('.gitignore', 'release/\n')
  git('init', '--quiet')
  commit()
})

const write = (path: string, text: string) => writeFileSync(join(repository, path), text)
const read = (path: string) => readFileSync(join(repository, path))
const git = (...args: string[]) => {
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  return execFileSync('git', [...identity, ...args], { cwd: repository, encoding: 'utf8' }).trim()
}
const commit = () => {
  git('add', '--all')
  git('commit', '--quiet', '--message', 'all')
}
const release = (...args: string[]) =>
  spawnSync(process.execPath, [script, ...args], { cwd: repository, encoding: 'utf8' })

/** Verifies the notes as SECURITY.md says. */
function verify(notes: string) {
  write('release/signers', `releases namespaces="meydan-release" ${readFileSync(`${key}.pub`, 'utf8')}`)
  const args = ['-Y', 'verify', '-f', 'release/signers', '-I', 'releases', '-n', 'meydan-release']
  return spawnSync('ssh-keygen', [...args, '-s', `${notes}.sig`], { cwd: repository, input: read(notes) }).status
}

describe('a release', () => {
  test('has the source, and signed notes that name the commit, the schema and the checksum of the source', () => {
    const { status, stderr, stdout } = release('--key', key)
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const notes = 'release/meydan-1.2.0.md'
    expect(stdout.split('\n')).toContain(notes)
    const source = read('release/meydan-1.2.0.tar.gz')
    expect(String(read(notes))).toBe(`# Meydan 1.2.0

- Date: 2026-11-20
- Commit: ${git('rev-parse', 'HEAD')}
- Schema: 7
- meydan-1.2.0.tar.gz: SHA-256 ${createHash('sha256').update(source).digest('hex')}

### Fixed

- Posts with two pictures.
`)
    expect(verify(notes)).toBe(0)
    write(notes, String(read(notes)).replace('two', 'three'))
    expect(verify(notes)).not.toBe(0)
    // Again, for example with another key.
    expect(release('--key', key).status).toBe(0)
    expect(verify(notes)).toBe(0)
  })

  test.each([
    ['a file that is not committed', () => write('more.txt', 'x'), /not committed:\n\?\? more\.txt/],
    [
      'a version without a section',
      () => write('package.json', '{"version":"1.3.0"}'),
      /"## \[1\.3\.0\] - YYYY-MM-DD"/,
    ],
    [
      'a section without entries',
      () => write('CHANGELOG.md', changelog.replace('- Posts with two pictures.\n', '')),
      /no section .* with entries/,
    ],
    ['a malformed version', () => write('package.json', '{"version":"next"}'), /no version to release: next/],
    [
      'a version that was released',
      () => git('tag', 'v1.2.0') || write('more.txt', 'x'),
      /v1\.2\.0 is at another commit/,
    ],
  ])('is refused for %s', (name, change, reason) => {
    change()
    if (!name.includes('not committed')) commit()
    const { status, stderr } = release('--key', key)
    expect(stderr).toMatch(reason)
    expect(stderr).toMatch(/^No release was made\./)
    expect(status).toBe(1)
  })

  test('is refused without a key', () => {
    expect(release().stderr).toContain('Name the private SSH key')
  })
})

describe('CHANGELOG.md', () => {
  const text = readFileSync(join(import.meta.dirname, '../CHANGELOG.md'), 'utf8')

  test('has a section for the version of package.json, and one for what is not released', () => {
    expect(sectionOf(text, packageJson.version)?.entries).toMatch(/^- /m)
    expect(text).toContain('\n## [Unreleased]\n')
  })

  test('names every migration that stops nodes of former versions', async () => {
    const contracts = (await readMigrations()).filter((migration) => migration.contracts)
    for (const { name } of contracts) expect(text).toContain(name)
  })
})
