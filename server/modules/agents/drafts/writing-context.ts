import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../../../lib/db/database.ts'
import { networkNames } from '../../networks/network.ts'
import { capabilitiesOf, networkOf } from '../../networks/registry.ts'
import { maxLengthOf, textProblems } from '../../posts/validation/problems.ts'
import { readBrandForModel } from '../../workspaces/brand/brand.ts'
import { type AgentConfig, wantedPictures } from '../record/agent-config.ts'
import { type AgentAccount, accountsOf } from '../record/agent-record.ts'
import type { LockedRun } from '../record/lock-run.ts'
import { slotOf } from '../record/schedule.ts'
import { readRules } from '../rules/rules.ts'
import { readMaterial } from '../sources/material.ts'
import type { CheckContext } from './checks.ts'
import { instructionsFor, type Writing } from './prompt.ts'
import { readPlan, readResults, recentTexts } from './workspace-posts.ts'

const RECENT_TOPICS = 30

const recentTopics = (tx: Tx, agent_id: string) =>
  tx
    .selectFrom('agent_item')
    .innerJoin('agent_run', 'agent_run.id', 'agent_item.run_id')
    .select(sql<string>`draft ->> 'topic'`.as('topic'))
    .where('agent_id', '=', agent_id)
    .where('post_id', 'is not', null)
    .orderBy('run_id', 'desc')
    .orderBy('position', 'desc')
    .limit(RECENT_TOPICS)
    .execute()

/** Limits of the networks of these accounts: of several accounts on one, the strictest. */
function networksOf(accounts: readonly AgentAccount[], hasPicture: boolean) {
  const found = new Map<string, number>()
  for (const account of accounts) {
    const max_length = maxLengthOf(capabilitiesOf(account), hasPicture)
    found.set(account.network, Math.min(max_length, found.get(account.network) ?? max_length))
  }
  return [...found].map(([network, max_length]) => ({ network, max_length }))
}

type Source = {
  /** Null for one that is not saved: it has no sources, and wrote nothing so far. */
  agent_id: string | null
  /** Accounts to write for. Without, those of the agent. */
  accounts?: readonly AgentAccount[]
  workspace_id: string
  config: AgentConfig
  canary: string
  now: Date
  /** Whether entries of feeds are offered again. */
  withUsed?: boolean
}

/** Reads what an agent has of its own: its rules, what its sources offer, and what it wrote. */
async function readOwn(tx: Tx, agent_id: string | null, withUsed: boolean) {
  if (agent_id === null) return { material: [], missing: undefined, recent_topics: [], rules: [] }
  const rules = await readRules(tx, agent_id)
  return {
    ...(await readMaterial(tx, agent_id, { withUsed, besides: rules })),
    rules,
    recent_topics: (await recentTopics(tx, agent_id)).map(({ topic }) => topic),
  }
}

/** Reads everything that the model gets, and that its text is checked against. */
export async function readContext(
  tx: Tx,
  { agent_id, workspace_id, config, canary, now, withUsed = false, ...given }: Source,
) {
  const accounts = given.accounts ?? (agent_id === null ? [] : await accountsOf(tx, agent_id))
  const { locale } = await tx
    .selectFrom('workspace')
    .select('locale')
    .where('id', '=', workspace_id)
    .executeTakeFirstOrThrow()
  const { brand, ...brandForModel } = await readBrandForModel(tx, { workspace_id })
  const { material, missing, recent_topics, rules } = await readOwn(tx, agent_id, withUsed)
  const boundary = randomUUID()
  const [picture = null] = wantedPictures(config)
  const { role, persona, voice, system_prompt } = config
  const setup = { role, persona, voice, system_prompt }
  const language = config.language ?? brand.languages[0] ?? locale
  const writing: Writing = {
    setup,
    brand: brandForModel,
    canary,
    slot: slotOf(config, now),
    language,
    picture,
    networks: networksOf(accounts, picture !== null),
    allowed_hosts: config.link_domains,
    plan: await readPlan(tx, { workspace_id, timezone: config.timezone, now, language }),
    results: await readResults(tx, { workspace_id, now }),
    recent_topics,
    rules,
    material,
    boundary,
  }
  const checks: Omit<CheckContext, 'lengthProblem'> = {
    setup: [...Object.values(setup), brand.about, brand.audience, brand.voice, ...brand.use_words].join('\n'),
    instructions: instructionsFor(writing),
    canary,
    allowed_hosts: config.link_domains,
    allowed_links: brand.links,
    forbidden_words: [...config.forbidden_words, ...brand.avoid_words, ...brand.never_mention],
    material,
    boundary,
    recent: [...(await recentTexts(tx, workspace_id)).map(({ content }) => content), ...brand.liked_posts],
  }
  return { config, accounts, writing, checks, missing }
}

/** Returns the problem of a text that does not fit the accounts of a network. `null`: the accounts without a variant. */
export function lengthProblemOn(accounts: readonly AgentAccount[], variants: readonly { network: string }[]) {
  const hasVariant = (network: string) => variants.some((variant) => variant.network === network)
  return (network: string | null, content: string) =>
    accounts
      .filter((account) => (network === null ? !hasVariant(account.network) : account.network === network))
      .flatMap((account) =>
        textProblems(content, {
          pointer: '',
          name: networkNames(networkOf(account)),
          capabilities: capabilitiesOf(account),
        }),
      )
      .map(({ message, translations }) => ({ message, ...(translations && { translations }) }))
      .at(0)
}

/** A reference that appears in the instructions of a run and nowhere else. */
export const canaryOf = ({ id }: Pick<LockedRun['run'], 'id'>) => `ref-${id.replaceAll('-', '')}`

export type WritingContext = Omit<Awaited<ReturnType<typeof readContext>>, 'missing'>
