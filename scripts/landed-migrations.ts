import type { LandedMigrations, Migration } from '../server/lib/db/migrations.ts'

/** Adds the checksums of new migrations. Fails if one that has landed was edited, renamed or removed. */
export function withNewMigrations(landed: LandedMigrations, migrations: Migration[]): LandedMigrations {
  const checksums = Object.fromEntries(migrations.map(({ name, checksum }) => [name, checksum]))
  const changed = Object.entries(landed.checksums).filter(([name, checksum]) => checksums[name] !== checksum)
  if (changed.length > 0)
    throw new Error(
      `A migration never changes after it has landed, because databases that ran it would differ from new ones: ${changed
        .map(([name]) => `${name} was ${checksums[name] ? 'edited' : 'renamed or removed'}`)
        .join(
          ', ',
        )}. Restore it, and write a new one. If it has not landed yet, delete its line in migrations/checksums.json.`,
    )
  return { ...landed, checksums }
}
