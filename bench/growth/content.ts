import { type Dataset, madeByHand, type Statement } from './dataset.ts'

/** The statements that write accounts, agents, recipes and all else that a workspace publishes from. */
export const contentStatements = (
  { workspace_id, accounts, agent, recipe, recurring_post, post_import, post, domain }: Dataset,
  user_id: string,
  posts: number,
): Record<string, Statement> => ({
  'deleted posts': [
    `insert into post (id, workspace_id, author_id, content, status, created_at, updated_at, deleted_at)
    select uuidv7(age), $1, $2, 'Deleted post ' || n, 'draft', now() + age, now() + age, now() + age / 1000
    from generate_series(1, $3::int / 100 + 10) as n, make_interval(mins => -n) as age`,
    [workspace_id, user_id, posts],
  ],
  'due posts': [
    `with made as (
      insert into post (id, workspace_id, author_id, content, status, scheduled_at)
      select uuidv7(), $1, $2, 'Due post ' || n, 'scheduled', now() - make_interval(mins => n)
      from generate_series(1, $4::int) as n returning id)
    insert into post_target (post_id, account_id, position) select id, $3, 0 from made`,
    [workspace_id, user_id, accounts[0], madeByHand(posts, 100)],
  ],
  accounts: [
    `insert into account (workspace_id, network, external_id, name, handle)
    select $1, 'playground', 'more-' || n, 'More ' || n, 'more-' || n from generate_series(1, $2::int) as n`,
    [workspace_id, madeByHand(posts, 100)],
  ],
  'queued posts': [
    `with made as (
      insert into post (id, workspace_id, author_id, content, status, scheduled_at, queued_for)
      select uuidv7(), $1, $2, 'Queued post ' || n, 'scheduled', due, due
      from generate_series(1, 20) as n, lateral (select date_trunc('day', now()) + make_interval(days => n)) as at (due)
      returning id)
    insert into post_target (post_id, account_id, position) select id, $3, 0 from made`,
    [workspace_id, user_id, accounts[2]],
  ],
  'account groups': [
    `with made as (
      insert into account_group (id, workspace_id, created_by, name)
      select uuidv7(make_interval(mins => -n)), $1, $2, 'Group ' || n from generate_series(1, 50) as n returning id)
    insert into grouped_account (group_id, account_id, position) select id, $3, 0 from made`,
    [workspace_id, user_id, accounts[2]],
  ],
  snippets: [
    `insert into snippet (id, workspace_id, created_by, name, content)
    select uuidv7(make_interval(mins => -n)), $1, $2, 'Tags ' || n, '#simit #istanbul' from generate_series(1, $3::int) as n`,
    [workspace_id, user_id, madeByHand(posts, 500)],
  ],
  // Each workspace gets the same number of the next month.
  'calendar notes': [
    `insert into calendar_note (id, workspace_id, created_by, day, text, created_at, updated_at)
    select uuidv7(make_interval(mins => -n)), $1, $2, current_date + n * 2, 'Note ' || n, now(), now()
    from generate_series(1, $3::int) as n`,
    [workspace_id, user_id, madeByHand(posts, 500)],
  ],
  'calendar feeds': [
    `insert into calendar_feed (id, workspace_id, user_id, name, hashed_secret, shows_unapproved, shows_text, created_at)
    select uuidv7(make_interval(mins => -n)), $1, $2, 'Feed ' || n, '', true, true, now() from generate_series(1, 20) as n`,
    [workspace_id, user_id],
  ],
  'client links': [
    `insert into client_link (id, workspace_id, created_by, name, hashed_secret, starts_on, ends_on, timezone, expires_at, created_at)
    select uuidv7(age), $1, $2, 'Link ' || n, 'v1$' || n, current_date, current_date + 30, 'Europe/Istanbul',
      now() + interval '30 days', now() + age
    from generate_series(1, $3::int) as n, make_interval(mins => -n) as age`,
    [workspace_id, user_id, madeByHand(posts, 500)],
  ],
  comments: [
    `insert into post_comment (id, workspace_id, post_id, author_id, body, created_at, updated_at)
    select uuidv7(age), $1, $2, $3, 'Comment ' || n, now() + age, now() + age
    from generate_series(1, $4::int) as n, make_interval(mins => -n) as age`,
    [workspace_id, post, user_id, madeByHand(posts, 500)],
  ],
  versions: [
    `insert into post_version (id, post_id, number, content, content_hash, bytes, user_id, source, started_at, created_at)
    select uuidv7(age), $1, n + newest, said, n, octet_length(said::text), $2, 'console', now() + age, now() + age
    from generate_series(1, $3::int) as n, make_interval(mins => -n) as age, post_content($1) as said,
      (select coalesce(max(number), 1) as newest from post_version where post_id = $1) as stored`,
    [post, user_id, madeByHand(posts, 99)],
  ],
  // Each workspace gets the same number, of 100 that it can have: what comes next is computed for all of them.
  'recurring posts': [
    `insert into recurring_post (workspace_id, author_id, rule, starts_at, timezone, variants, next_at)
    select workspace_id, author_id, rule, starts_at, timezone, variants, next_at
    from recurring_post, generate_series(1, 99) where id = $1`,
    [recurring_post],
  ],
  occurrences: [
    `insert into post_occurrence (id, recurring_post_id, occurs_at, status, variant, reason, created_at)
    select uuidv7(age), $1, now() + age, 'skipped', 0, 'quota_exceeded', now() + age
    from generate_series(1, $2::int / 10) as n, make_interval(hours => -n) as age`,
    [recurring_post, posts],
  ],
  imports: [
    `insert into post_import (id, workspace_id, created_by, name, format, encoding, has_header, columns, fields, timezone,
      status, expires_at, created_at, updated_at)
    select uuidv7(make_interval(mins => -n)), workspace_id, created_by, name, format, encoding, has_header, columns, fields,
      timezone, status, expires_at, created_at, updated_at from post_import, generate_series(1, 19) as n where id = $1`,
    [post_import],
  ],
  // Each workspace gets the same number, the most of an import.
  'rows of an import': [
    `insert into post_import_row (import_id, row, line, cells, bytes, state, problems)
    select $1, n, n + 1, '["Simit"]', 9, case when n % 3 = 0 then 'error' else 'ok' end::post_import_row_state,
      case when n % 3 = 0 then '[{"field": "date", "code": "invalid", "severity": "error", "column": 0, "message": "x",
        "value": null, "suggestion": null}]'::jsonb else '[]' end
    from generate_series(1, 5000) as n`,
    [post_import],
  ],
  agents: [
    `insert into agent (workspace_id, acts_for_id, name, description, category, tags, role, persona, system_prompt,
      image_style, voice, timezone, posts_per_run, daily_limit, autonomy_level, generate_image, design, video, link_domains,
      forbidden_words, is_active)
    select workspace_id, acts_for_id, name || ' ' || n, description, category, tags, role, persona, system_prompt,
      image_style, voice, timezone, posts_per_run, daily_limit, autonomy_level, generate_image, design, video, link_domains,
      forbidden_words, n % 2 = 0
    from agent, generate_series(1, $2::int) as n where id = $1`,
    [agent, madeByHand(posts, 99)],
  ],
  runs: [
    `with made as (
      insert into agent_run (id, workspace_id, agent_id, trigger, slot, status, wanted, credits, day, created_at, started_at,
        ended_at)
      select uuidv7(age), $1, $2, 'schedule', 'past ' || n, 'completed', 1, 1, (now() + age)::date, now() + age, now() + age,
        now() + age
      from generate_series(1, $3::int / 10) as n, make_interval(mins => -n) as age
      returning id)
    insert into agent_item (run_id, position, status, reason) select id, 0, 'blocked', 'duplicate' from made`,
    [workspace_id, agent, posts],
  ],
  sources: [
    `insert into agent_source (workspace_id, agent_id, kind, label, text)
    select $1, $2, 'text', 'Dishes ' || n, 'Lentil soup' from generate_series(1, 5) as n`,
    [workspace_id, agent],
  ],
  rules: [
    `insert into agent_rule (workspace_id, agent_id, text)
    select $1, $2, 'Say nothing about dish ' || n from generate_series(1, 50) as n`,
    [workspace_id, agent],
  ],
  'recipe versions': [
    `with made as (
      insert into recipe_version (recipe_id, version, body)
      select recipe_id, n, body || jsonb_build_object('system_prompt', 'Write about bread, ' || n) from recipe_version, generate_series(2, $2::int) as n where recipe_id = $1 and version = 1
      returning version)
    update recipe set version = (select max(version) from made) where id = $1`,
    [recipe, madeByHand(posts, 1000)],
  ],
  // A workspace can have only some, so that they are spread over the workspaces of the owner.
  recipes: [
    `with owned as (
      select array_agg(workspace_id) as ids from workspace_member join workspace on id = workspace_id
      where user_id = $2 and slug like '%-of-' || $3), made as (
      insert into recipe (id, workspace_id, creator_id, version, category, language, search, install_count, published,
        taken_down_at, take_down_reason)
      select uuidv7(make_interval(mins => -n)), owned.ids[1 + n % cardinality(owned.ids)], $2, 1, category,
        case when n % 2 = 0 then 'tr' else 'en' end, search || to_tsvector('simple', 'recipe' || n % 1000), n % 100, true,
        case when n % 100 = 7 then now() end, case when n % 100 = 7 then 'Spam' end
      from recipe, owned, generate_series(1, $4::int / 100 + 10) as n where id = $1 returning id)
    insert into recipe_version (recipe_id, version, body)
    select made.id, 1, body from made, recipe_version where recipe_id = $1 and recipe_version.version = 1`,
    [recipe, user_id, domain, posts],
  ],
  'reports of recipes': [
    `insert into recipe_report (recipe_id, reporter_id, reason, status)
    select $1, user_id, 'spam', case when row_number() over () > 20 then 'dismissed' else 'open' end::recipe_report_status
    from workspace_member where workspace_id = $2`,
    [recipe, workspace_id],
  ],
})
