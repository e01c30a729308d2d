/**
 * Makes the files of a release from the commit that is checked out: its source, and notes from its section of
 * CHANGELOG.md, which name the commit and the checksum of the source and are signed with an SSH key.
 *
 *   node scripts/release.ts --key ~/.ssh/release
 *
 * The version is that of package.json. SECURITY.md tells users how to verify the signature.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sectionOf } from './changelog.ts'

const NAMESPACE = 'meydan-release'

class Refused extends Error {}

const run = (program: string, ...args: string[]) => execFileSync(program, args, { encoding: 'utf8' }).trim()
const git = (...args: string[]) => run('git', ...args)

function readVersion() {
  const manifest: unknown = JSON.parse(readFileSync('package.json', 'utf8'))
  const version = manifest instanceof Object && 'version' in manifest ? String(manifest.version) : ''
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Refused(`package.json has no version to release: ${version}`)
  return version
}

/** Otherwise the notes would name a commit that is not what was released. */
function checkTree(version: string) {
  const changes = git('status', '--porcelain')
  if (changes) throw new Refused(`There are changes that are not committed:\n${changes}`)
  const tagged = git('tag', '--list', `v${version}`) && git('rev-list', '--max-count=1', `v${version}`)
  if (tagged && tagged !== git('rev-parse', 'HEAD'))
    throw new Refused(`The tag v${version} is at another commit. Raise the version in package.json.`)
}

const schemaNumber = () =>
  Number.parseInt(
    readdirSync('migrations')
      .filter((name) => name.endsWith('.sql'))
      .sort()
      .at(-1) ?? '0',
    10,
  )

function release(key: string, out: string) {
  const version = readVersion()
  checkTree(version)
  const section = sectionOf(readFileSync('CHANGELOG.md', 'utf8'), version)
  if (!section) throw new Refused(`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD" with entries.`)

  mkdirSync(out, { recursive: true })
  const source = `meydan-${version}.tar.gz`
  git('archive', '--format=tar.gz', `--prefix=meydan-${version}/`, '--output', join(out, source), 'HEAD')
  const checksum = createHash('sha256')
    .update(readFileSync(join(out, source)))
    .digest('hex')
  const notes = join(out, `meydan-${version}.md`)
  const facts = {
    Date: section.date,
    Commit: git('rev-parse', 'HEAD'),
    Schema: schemaNumber(),
    [source]: `SHA-256 ${checksum}`,
  }
  const lines = Object.entries(facts).map(([name, value]) => `- ${name}: ${value}`)
  writeFileSync(notes, `# Meydan ${version}\n\n${lines.join('\n')}\n\n${section.entries}\n`)
  // ssh-keygen asks before it replaces a signature.
  rmSync(`${notes}.sig`, { force: true })
  execFileSync('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', NAMESPACE, notes], { stdio: ['inherit', 2, 2] })
  return [join(out, source), notes, `${notes}.sig`]
}

const { values } = parseArgs({ options: { key: { type: 'string' }, out: { type: 'string', default: 'release' } } })
try {
  if (!values.key) throw new Refused('Name the private SSH key to sign with: node scripts/release.ts --key <file>')
  process.stdout.write(`${release(values.key, values.out).join('\n')}\n`)
} catch (error) {
  process.stderr.write(`No release was made. ${error instanceof Refused ? error.message : error}\n`)
  process.exitCode = 1
}
