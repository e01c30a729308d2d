/**
 * The part of better-sqlite3 that Bluesky's server uses, over the SQLite of Node. `scripts/real-bluesky.ts` puts it in
 * the place of that package, which has no compiled code in the npm registry.
 */
import { DatabaseSync } from 'node:sqlite'

/** Converts the values that node:sqlite refuses. */
const input = (value) => (typeof value === 'boolean' ? Number(value) : value === undefined ? null : value)

/** Returns blobs as Buffers, with the methods that callers expect. */
const output = (row) => {
  for (const [name, value] of Object.entries(row ?? {}))
    if (value instanceof Uint8Array) row[name] = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return row
}

const valuesOf = (given) => (given.length === 1 && Array.isArray(given[0]) ? given[0] : given).map(input)

class Statement {
  constructor(statement) {
    this.statement = statement
    this.reader = statement.columns().length > 0
  }
  all(...given) {
    return this.statement.all(...valuesOf(given)).map(output)
  }
  get(...given) {
    return output(this.statement.get(...valuesOf(given)))
  }
  run(...given) {
    return this.statement.run(...valuesOf(given))
  }
  *iterate(...given) {
    for (const row of this.statement.iterate(...valuesOf(given))) yield output(row)
  }
}

export default class Database {
  constructor(path) {
    this.database = new DatabaseSync(path)
  }
  prepare(sql) {
    return new Statement(this.database.prepare(sql))
  }
  exec(sql) {
    this.database.exec(sql)
    return this
  }
  pragma(text) {
    return this.prepare(`PRAGMA ${text}`).all()
  }
  transaction(work) {
    return (...given) => {
      this.exec('BEGIN')
      try {
        const result = work(...given)
        this.exec('COMMIT')
        return result
      } catch (error) {
        this.exec('ROLLBACK')
        throw error
      }
    }
  }
  close() {
    this.database.close()
  }
}
