import { sql } from 'kysely'
import type { Static } from 'typebox'
import { invalid, limitExceeded, notFound } from '../../../errors.ts'
import { audit, changedFields } from '../../../lib/db/audit.ts'
import { type Db, inTransaction, nextUpdatedAt, type Tx } from '../../../lib/db/database.ts'
import { type PageInput, page } from '../../../lib/db/page.ts'
import type { Deps } from '../../../lib/deps.ts'
import type { Member } from '../../../lib/http/access.ts'
import type { IfMatch } from '../../../lib/http/etag.ts'
import { quoted, withoutHiddenCharacters } from '../../../lib/text.ts'
import { lockAgent } from '../record/agent-record.ts'
import { type AgentRule, type ChangeAgentRule, MAX_TEXT, type NewAgentRule } from './rules.schema.ts'

/** Rules of an agent, also those that are off. All of them together fit beside its sources in a prompt. */
export const MAX_RULES = 50

type RuleDeps = Pick<Deps, 'db' | 'clock' | 'options'>
type Rule = Static<typeof AgentRule>

const selectRules = (db: Db) =>
  db
    .selectFrom('agent_rule')
    .select(['agent_rule.id', 'text', 'is_enabled', 'created_at', 'updated_at', 'version'])
    .select([
      sql<Rule['learned_from']>`case when reason is not null then json_build_object('reason', reason,
        'client_name', client_name,
        'post_id', (select post.id from post where post.id = post_id and post.deleted_at is null)) end`.as(
        'learned_from',
      ),
      sql<Rule['created_by']>`(select json_build_object('id', u.id, 'name', u.name) from "user" u
        where u.id = created_by_id)`.as('created_by'),
    ])

const findRule = (tx: Tx, agent_id: string, id: string) =>
  selectRules(tx).where('id', '=', id).where('agent_id', '=', agent_id).executeTakeFirstOrThrow(notFound)

export async function listRules(db: Db, { workspace_id }: Member, agent_id: string, query: PageInput) {
  await db
    .selectFrom('agent')
    .select('id')
    .where('id', '=', agent_id)
    .where('workspace_id', '=', workspace_id)
    .executeTakeFirstOrThrow(notFound)
  return page(selectRules(db).where('agent_id', '=', agent_id), 'agent_rule.id', query)
}

/** The texts of the rules that an agent follows, the oldest first. */
export async function readRules(tx: Tx, agent_id: string) {
  const rules = await tx
    .selectFrom('agent_rule')
    .select('text')
    .where('agent_id', '=', agent_id)
    .where('is_enabled', '=', true)
    .orderBy('id')
    .execute()
  return rules.map(({ text }) => text)
}

/** A text as a rule has it: one line, without what readers cannot see. */
export const ruleText = (text: string, max = MAX_TEXT) => quoted(withoutHiddenCharacters(text).normalize('NFC'), max)

function textOf(input: string) {
  const text = ruleText(input)
  if (text === '') throw invalid('/text', 'Write what the agent is to follow.')
  return text
}

/** Runs of the agent have the rights of who changed last what it writes by. */
const actFor = (tx: Tx, { user_id }: Member, agent_id: string) =>
  tx.updateTable('agent').set({ acts_for_id: user_id }).where('id', '=', agent_id).execute()

export const createRule = (
  deps: RuleDeps,
  caller: Member,
  agent_id: string,
  { text, is_enabled = true }: Static<typeof NewAgentRule>,
) =>
  inTransaction(deps.db, async (tx) => {
    await lockAgent(deps, tx, caller, agent_id)
    const { count } = await tx
      .selectFrom('agent_rule')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('agent_id', '=', agent_id)
      .executeTakeFirstOrThrow()
    if (count >= MAX_RULES)
      throw limitExceeded('agent_rules', MAX_RULES, count, `An agent can have at most ${MAX_RULES} rules.`)
    const { workspace_id, user_id: created_by_id } = caller
    const { id } = await tx
      .insertInto('agent_rule')
      .values({ workspace_id, agent_id, text: textOf(text), is_enabled, created_by_id })
      .returning('id')
      .executeTakeFirstOrThrow()
    await actFor(tx, caller, agent_id)
    await audit(tx, caller, 'agent.rule_added', agent_id, { rule_id: id, is_enabled })
    return findRule(tx, agent_id, id)
  })

export const changeRule = (
  deps: RuleDeps,
  caller: Member,
  { id: agent_id, rule_id }: { id: string; rule_id: string },
  input: Static<typeof ChangeAgentRule>,
  ifMatch: IfMatch,
) =>
  inTransaction(deps.db, async (tx) => {
    // Keeps the rule as it is, too: all who write rules lock their agent.
    await lockAgent(deps, tx, caller, agent_id)
    const before = await findRule(tx, agent_id, rule_id)
    ifMatch(before.version)
    await tx
      .updateTable('agent_rule')
      .set({
        ...input,
        ...(input.text !== undefined && { text: textOf(input.text) }),
        updated_at: nextUpdatedAt(deps.clock.now()),
      })
      .where('id', '=', rule_id)
      .execute()
    await actFor(tx, caller, agent_id)
    const after = await findRule(tx, agent_id, rule_id)
    await audit(tx, caller, 'agent.rule_updated', agent_id, {
      ...changedFields(before, after, ['is_enabled']),
      ...{ rule_id, fields: Object.keys(input) },
    })
    return after
  })

export const deleteRule = (
  deps: RuleDeps,
  caller: Member,
  { id: agent_id, rule_id }: { id: string; rule_id: string },
) =>
  inTransaction(deps.db, async (tx) => {
    await lockAgent(deps, tx, caller, agent_id)
    await findRule(tx, agent_id, rule_id)
    await tx.deleteFrom('agent_rule').where('id', '=', rule_id).execute()
    await audit(tx, caller, 'agent.rule_removed', agent_id, { rule_id })
  })
