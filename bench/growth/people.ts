import { type Dataset, madeByHand, type Statement } from './dataset.ts'

/** The statements that write people and their access, and what an instance admin sees of both. */
export const peopleStatements = (
  { workspace_id, domain }: Dataset,
  user_id: string,
  posts: number,
): Record<string, Statement> => ({
  members: [
    `with people as (
      insert into "user" (id, email, name, email_verified)
      select uuidv7(make_interval(mins => -n)), 'person-' || n || '@' || $2, 'Person ' || n, true
      from generate_series(1, $3::int / 100 + 10) as n returning id)
    insert into workspace_member (workspace_id, user_id, role) select $1, id, 'author' from people`,
    [workspace_id, domain, posts],
  ],
  workspaces: [
    `with made as (
      insert into workspace (name, slug, plan_code, deleted_at)
      select 'Workspace ' || n || ' of ' || $2, 'workspace-' || n || '-of-' || $2, 'pro',
        case when n % 10 = 0 then now() end
      from generate_series(1, $3::int / 100 + 100) as n returning id
    ), numbered as (select id, row_number() over () as n from made)
    insert into workspace_member (workspace_id, user_id, role) select id, $1, 'owner' from numbered where n <= $4`,
    [user_id, domain, posts, madeByHand(posts, 80)],
  ],
  invitations: [
    `insert into invitation (id, workspace_id, email, role, locale, hashed_token, state, invited_by, expires_at)
    select uuidv7(make_interval(mins => -n)), $1, 'guest-' || n || '@' || $2, 'editor', 'en', $2 || n,
      (array['pending', 'accepted', 'revoked'])[1 + n % 3]::invitation_state, $3, now() + interval '7 days'
    from generate_series(1, $4::int) as n`,
    [workspace_id, domain, user_id, madeByHand(posts, 1000)],
  ],
  tokens: [
    `insert into api_token (user_id, team_id, name, prefix, hashed_token)
    select $1, $2, 'Token ' || n, $3 || n, $3 || n from generate_series(1, $4::int) as n`,
    [user_id, workspace_id, domain, madeByHand(posts, 150)],
  ],
  webhooks: [
    `with made as (
      insert into webhook (user_id, team_id, url, events, secret, active)
      select $1, $2, 'https://example.com/' || n, '{post.failed}', '', false from generate_series(1, $3::int) as n
      returning id)
    insert into webhook_health (webhook_id) select id from made`,
    [user_id, workspace_id, madeByHand(posts, 100)],
  ],
  sessions: [
    `insert into session (user_id, token, expires_at, user_agent)
    select $1, $2 || n, now() + interval '7 days', 'Firefox' from generate_series(1, $3::int) as n`,
    [user_id, domain, madeByHand(posts, 1000)],
  ],
  'push subscriptions': [
    `insert into push_subscription (user_id, session_id, endpoint, p256dh, auth, created_at)
    select user_id, id, 'https://push.example.com/' || id, '', '', now() from session
    where user_id = $1 and not exists (select from push_subscription where session_id = session.id) order by id limit 10`,
    [user_id],
  ],
  backups: [
    `insert into backup (id, origin, state, target, file_name, started_at, ended_at, bytes, verified_at)
    select uuidv7(age), 'schedule', 'verified', '/backups', $1 || n || '.backup', now() + age, now() + age, 1000, now() + age
    from generate_series(1, $2::int) as n, make_interval(days => -n) as age`,
    [domain, madeByHand(posts, 100)],
  ],
  // Half of the groups are unread, so that small workspaces have a page of them too.
  notifications: [
    `with event as (
      insert into notification_event (id, workspace_id, kind, subject_type, subject_id, subject_name, reader_roles,
        group_key, dedupe_key, created_at)
      select uuidv7(age), $2, 'account.disconnected', 'account', $2, 'Account ' || n, '{editor,admin,owner}',
        'account.disconnected:' || n / 2, $2::uuid::text || n, now() + age
      from generate_series(1, $3::int) as n, make_interval(mins => -n) as age
      returning id, group_key)
    insert into notification (user_id, event_id, workspace_id, group_key, in_console, read_at)
    select $1, id, $2, group_key, true, case when right(group_key, 1) in ('1', '3', '5', '7', '9') then now() end from event`,
    [user_id, workspace_id, Math.max(40, madeByHand(posts, 2000))],
  ],
  mails: [
    `insert into mail (id, to_address, to_name, key, locale, subject, body_text, body_html, state, created_at)
    select uuidv7(age), 'person-' || n || '@' || $1, 'Person ' || n, 'invitation', 'en', 'You were invited', 'Hello', '<p>Hello</p>',
      (array['sent', 'sent', 'sent', 'kept', 'failed'])[1 + n % 5]::mail_state, now() + age
    from generate_series(1, $2::int / 10) as n, make_interval(mins => -n) as age`,
    [domain, posts],
  ],
  templates: [
    `insert into email_template (key, locale, subject, body_html)
    select 'own-' || n || '-' || $1, 'default', 'Hello', '<p>Hello</p>' from generate_series(1, $2::int) as n`,
    [domain, madeByHand(posts, 200)],
  ],
  models: [
    `insert into ai_model (provider, model_key, name, category, is_active, api_params)
    select (array['openai', 'mistral'])[1 + n % 2]::ai_provider, 'model-' || n, 'Model ' || n,
      (array['text', 'image', 'video'])[1 + n % 3]::ai_category, n % 2 = 0, '{}'
    from generate_series(1, $1::int) as n`,
    [madeByHand(posts, 100)],
  ],
  'audit log of the instance': [
    `insert into audit_entry (id, at, actor_id, action, target_id)
    select uuidv7(age), now() + age, $1, case when n % 1000 = 7 then 'plan.created' else 'option.changed' end, n::text
    from generate_series(1, $2::int / 10) as n, make_interval(mins => -n) as age`,
    [user_id, posts],
  ],
})
