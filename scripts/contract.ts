/**
 * Keeps the contract of the API that is released: `openapi.json` without texts for people. `test/contract/` compares later
 * documents with it, so that the API only grows. Run it in the commit that gives CHANGELOG.md the section of the version.
 *
 *   node scripts/contract.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractOf, type Document } from '../test/contract/document.ts'

const root = join(import.meta.dirname, '..')
const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const document: Document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'))
const contract = contractOf(document)

/** One line for each path and schema. */
const lines = (part: object) =>
  `{\n${Object.entries(part)
    .map((entry) => entry.map((each) => JSON.stringify(each)).join(': '))
    .join(',\n')}\n}`
const { paths, webhooks = {}, components } = contract
writeFileSync(
  join(root, 'test', 'contract', 'released.json'),
  `{\n"info": ${JSON.stringify({ version })},\n"paths": ${lines(paths)},\n"webhooks": ${lines(webhooks)},\n"components": ${lines(components)}\n}\n`,
)
