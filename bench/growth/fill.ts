import type { Deps } from '../../server/lib/deps.ts'
import { runLongStatement } from '../meydan.ts'
import { contentStatements } from './content.ts'
import type { Dataset } from './dataset.ts'
import { moneyStatements } from './money.ts'
import { peopleStatements } from './people.ts'
import { fillEvents, postStatements } from './posts.ts'

type Log = (line: string) => void

/** Writes records of every kind into a workspace and around it, in proportion to a number of posts, but no posts and files. */
export async function fillAround({ pool }: Deps, dataset: Dataset, posts: number, log: Log) {
  const given = [dataset, dataset.author, posts] as const
  // In this order: recipes, subscriptions and gigs are spread over the workspaces of the owner.
  const statements = { ...peopleStatements(...given), ...contentStatements(...given), ...moneyStatements(...given) }
  for (const [what, [statement, values]] of Object.entries(statements)) {
    await runLongStatement(pool, statement, values)
    log(`${posts} posts: filled ${what}`)
  }
}

/** Writes that many posts, what they leave behind, and records of every other kind in proportion. */
export async function fill(deps: Deps, dataset: Dataset, posts: number, log: Log) {
  for (const [what, [statement, values]] of Object.entries(postStatements(dataset, dataset.author, posts))) {
    await runLongStatement(deps.pool, statement, values)
    log(`${posts} posts: filled ${what}`)
  }
  await fillEvents(deps, dataset, posts, log)
  await fillAround(deps, dataset, posts, log)
}
