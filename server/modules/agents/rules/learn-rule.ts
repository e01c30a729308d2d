import { type Actor, audit } from '../../../lib/db/audit.ts'
import { nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import { MAX_TEXT } from './rules.schema.ts'
import { MAX_RULES, ruleText } from './rules.ts'

/** A rejection of a post. `client_name`: the client who rejected it, or null for a member. */
export type Rejection = { post_id: string; reason: string; actor: Actor; client_name: string | null; now: Date }

/** A text without case, by letter as in `agent_rule_text_key`: in words, JavaScript has other forms of İ and Σ. */
const key = (text: string) =>
  [...ruleText(text, MAX_TEXT)]
    .map((letter) => (letter === 'İ' ? 'i' : letter.toLowerCase()))
    .join('')
    .replace(/[.!…]+$/, '')

const rulesOf = (tx: Tx, agent_id: string) =>
  tx
    .selectFrom('agent_rule')
    .select(['id', 'text', 'reason', 'client_name', 'is_enabled', 'version'])
    .where('agent_id', '=', agent_id)
    .orderBy('id')
    .execute()

/** Nobody has changed it, or turned it on or off. */
const isAsLearned = ({ reason, version }: { reason: string | null; version: number }) =>
  reason !== null && version === 1

/**
 * Makes a rule of the reason of a rejection. It is in force at once, or when an editor turns it on if a client gave it. The
 * same reason is one rule. When there are too many, the oldest that is as it was learned makes room, for that of a client
 * only if it is off. The agent is locked by the caller.
 */
export async function learnRule(
  tx: Tx,
  { agent_id, workspace_id }: { agent_id: string; workspace_id: string },
  { post_id, reason, actor, client_name, now }: Rejection,
) {
  // One character of the limit is for the mark of a cut.
  const text = ruleText(reason, MAX_TEXT - 1)
  if (key(text) === '') return
  const rules = await rulesOf(tx, agent_id)
  const known = rules.find((rule) => [rule.text, rule.reason ?? ''].some((said) => key(said) === key(reason)))
  const origin = { post_id, client_name, created_by_id: actor.user_id, is_enabled: client_name === null }
  if (known) {
    // A member says the same as a client whose rule nobody has turned on yet.
    if (client_name !== null || known.client_name === null || !isAsLearned(known)) return
    await tx
      .updateTable('agent_rule')
      .set({ ...origin, updated_at: nextUpdatedAt(now) })
      .where('id', '=', known.id)
      .execute()
    return audit(tx, actor, 'agent.rule_learned', agent_id, { rule_id: known.id, post_id })
  }
  const isFull = rules.length >= MAX_RULES
  const replaced = isFull
    ? rules.find((rule) => isAsLearned(rule) && (client_name === null || !rule.is_enabled))
    : undefined
  if (isFull && !replaced) return
  const learned = await tx
    .insertInto('agent_rule')
    .values({ workspace_id, agent_id, text, reason, ...origin })
    // A database with rules of another language for case can find a text the same that `key` does not.
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!learned) return
  if (replaced) {
    await tx.deleteFrom('agent_rule').where('id', '=', replaced.id).execute()
    await audit(tx, actor, 'agent.rule_removed', agent_id, { rule_id: replaced.id })
  }
  await audit(tx, actor, 'agent.rule_learned', agent_id, { rule_id: learned.id, post_id })
}
