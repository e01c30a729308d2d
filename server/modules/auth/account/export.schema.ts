import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { roles } from '../../../lib/http/roles.ts'
import { Count, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Email, Locale } from '../auth.schema.ts'
import { Amount, agentSetup, every, Price, ProviderId, report, Short } from './export-fields.schema.ts'
import { exportedPosts } from './export-posts.schema.ts'
import { EmailChange, Me, Session } from './me.schema.ts'

const Profile = Type.Object({ ...Me.properties, email_verified: Type.Boolean(), updated_at: Time })
const { current: _, ...sessionFields } = Session.properties

/** Documents the response, which is streamed part by part. */
export const Export = Type.Unsafe<Readable>(
  Type.Object(
    {
      exported_at: Time,
      profile: Profile,
      memberships: every(
        Type.Object({
          workspace_id: idOf('workspace'),
          name: Type.String({ maxLength: 80, examples: ['Bakery'] }),
          slug: Type.String({ maxLength: 40, examples: ['bakery'] }),
          role: Type.Enum([...roles], { type: 'string' }),
          created_at: Time,
        }),
      ),
      email_change: nullable(
        Type.Object(
          { email: EmailChange.properties.email, expires_at: Time, created_at: Time },
          { description: 'Change of e-mail address that waits for its codes.' },
        ),
      ),
      sessions: every(Type.Object(sessionFields)),
      api_tokens: every(
        Type.Object({
          id: idOf('token'),
          team_id: nullable(idOf('workspace', 'Id of the workspace that the token is bound to.')),
          name: Type.String({ maxLength: 80, examples: ['Order system'] }),
          prefix: Type.String({ maxLength: 40, examples: ['meydan_pat_Xk4pT9'] }),
          scopes: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 50, examples: [['posts:write']] }),
          last_used_at: nullable(Time),
          expires_at: nullable(Time),
          revoked_at: nullable(Time),
          created_at: Time,
        }),
      ),
      audit_log: every(
        Type.Object({
          id: idOf('audit-entry'),
          at: Time,
          workspace_id: nullable(idOf('workspace')),
          token_id: nullable(idOf('token')),
          action: Type.String({ maxLength: 80, examples: ['token.created'] }),
          target_id: nullable(Type.String({ maxLength: 400 })),
          details: Type.Object({}, { additionalProperties: true }),
          ip: sessionFields.ip_address,
          user_agent: sessionFields.user_agent,
        }),
      ),
      ...exportedPosts,
      media: every(
        Type.Object({
          id: idOf('media'),
          workspace_id: idOf('workspace'),
          kind: Type.String({ maxLength: 40, examples: ['image'] }),
          mime: Type.String({ maxLength: 100, examples: ['image/jpeg'] }),
          bytes: Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [482_113] }),
          name: Type.String({ maxLength: 200, examples: ['simit.jpg'] }),
          alt: Type.String({ maxLength: 2000, examples: ['A tray of simit.'] }),
          labels: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20, examples: [['spring']] }),
          sha256: Type.String({ maxLength: 64, examples: ['9f86d081884c7d659a2feaa0c55ad015'] }),
          created_at: Time,
        }),
      ),
      agents: every(
        Type.Object({
          id: idOf('agent'),
          workspace_id: idOf('workspace'),
          ...agentSetup,
          is_active: Type.Boolean(),
          created_at: Time,
          updated_at: Time,
        }),
      ),
      agent_sources: every(
        Type.Object({
          id: idOf('agent_source'),
          workspace_id: idOf('workspace'),
          agent_id: idOf('agent'),
          kind: Short('feed'),
          label: Short('Our blog'),
          url: nullable(Type.String({ maxLength: 2048, examples: ['https://cafe.example/feed.xml'] })),
          text: nullable(Type.String({ maxLength: 20_000, examples: [null] })),
          is_trusted: Type.Boolean(),
          created_at: Time,
          updated_at: Time,
        }),
      ),
      agent_rules: every(
        Type.Object({
          id: idOf('agent_rule'),
          workspace_id: idOf('workspace'),
          agent_id: idOf('agent'),
          text: Type.String({ maxLength: 500, examples: ['No exclamation marks.'] }),
          is_enabled: Type.Boolean(),
          reason: nullable(Type.String({ maxLength: 1000, examples: ['Too loud for us'] })),
          post_id: nullable(idOf('post')),
          created_at: Time,
          updated_at: Time,
        }),
      ),
      recipes: every(
        Type.Object({
          id: idOf('recipe'),
          workspace_id: idOf('workspace'),
          ...agentSetup,
          sources: Type.Array(
            Type.Object({
              kind: Short('text'),
              label: Type.String({ maxLength: 80, examples: ['Dishes of the week'] }),
            }),
            { maxItems: 5 },
          ),
          version: Count('Number of its newest version, which these fields are of.', 1),
          published: Type.Boolean(),
          created_at: Time,
          updated_at: Time,
        }),
      ),
      recipe_reports: every(Type.Object({ id: idOf('recipe_report'), recipe_id: idOf('recipe'), ...report })),
      gigs: every(
        Type.Object({
          id: idOf('gig'),
          workspace_id: idOf('workspace'),
          slug: Type.String({ maxLength: 80, examples: ['ten-posts-for-your-cafe'] }),
          title: Type.String({ maxLength: 200, examples: ['Ten posts for your café'] }),
          description: Type.String({ maxLength: 5000, examples: ['Ten posts with pictures.'] }),
          price: Price,
          currency: Type.String({ maxLength: 3, examples: ['TRY'] }),
          delivery_days: Type.Integer({ minimum: 1, maximum: 365, examples: [3] }),
          categories: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 5, examples: [['social-media']] }),
          status: Type.String({ maxLength: 40, examples: ['published'] }),
          published_at: nullable(Time),
          archived_at: nullable(Time),
          rating_count: Type.Integer({ minimum: 0, maximum: 2_147_483_647, examples: [0] }),
          rating_sum: Type.Integer({ minimum: 0, maximum: 2_147_483_647, examples: [0] }),
          created_at: Time,
          updated_at: Time,
        }),
      ),
      signature: nullable(
        Type.Object(
          {
            handle: Type.String({ maxLength: 30, examples: ['ada'] }),
            text: Type.String({ maxLength: 500, examples: ['I write for cafés.'] }),
            updated_at: Time,
          },
          { description: 'Signature. Null without one.' },
        ),
      ),
      orders: every(
        Type.Object({
          id: idOf('order'),
          side: Type.Enum(['buyer', 'seller'], { type: 'string', description: 'Your side.' }),
          gig_id: nullable(idOf('gig')),
          title: Type.String({ maxLength: 200, examples: ['Ten posts for your café'] }),
          price: Price,
          currency: Short('TRY'),
          status: Short('completed'),
          requirements: nullable(Type.String({ maxLength: 5000, examples: ['Our menu is on our page.'] })),
          created_at: Time,
          paid_at: nullable(Time),
          completed_at: nullable(Time),
          canceled_at: nullable(Time),
        }),
      ),
      order_messages: every(
        Type.Object({
          id: idOf('message'),
          order_id: idOf('order'),
          text: Type.String({ maxLength: 5000, examples: ['Here is our logo.'] }),
          created_at: Time,
        }),
      ),
      order_reviews: every(
        Type.Object({
          id: idOf('review'),
          order_id: idOf('order'),
          rating: Type.Integer({ minimum: 1, maximum: 5, examples: [5] }),
          text: Type.String({ maxLength: 2000, examples: ['Good work.'] }),
          created_at: Time,
        }),
      ),
      gig_reports: every(Type.Object({ id: idOf('gig_report'), gig_id: idOf('gig'), ...report })),
      webhooks: every(
        Type.Object({
          id: idOf('webhook'),
          team_id: idOf('workspace', 'Id of the workspace that the webhook belongs to.'),
          url: Type.String({ maxLength: 2000, examples: ['https://example.com/meydan'] }),
          events: Type.Array(Type.String({ maxLength: 60 }), { maxItems: 50, examples: [['*']] }),
          active: Type.Boolean(),
          created_at: Time,
        }),
      ),
      invitations: every(
        Type.Object({
          id: idOf('invitation'),
          workspace_id: idOf('workspace'),
          email: Type.Unsafe<string>({ ...Email, description: 'E-mail address that the invitation was sent to.' }),
          role: Type.Enum([...roles], { type: 'string' }),
          locale: Locale,
          state: Type.Enum(['pending', 'accepted', 'revoked'], { type: 'string' }),
          sent: Type.Boolean({ description: 'Whether you sent it.' }),
          accepted: Type.Boolean({ description: 'Whether you accepted it.' }),
          expires_at: Time,
          created_at: Time,
        }),
      ),
      notifications: every(
        Type.Object({
          id: idOf('notification'),
          workspace_id: idOf('workspace'),
          kind: Type.String({ maxLength: 60, description: 'Kind of notification.', examples: ['post.failed'] }),
          subject_type: Type.String({ maxLength: 40, description: 'Kind of its subject.', examples: ['post'] }),
          subject_id: idOf('post', 'Id of its subject.'),
          subject_name: Short('Fresh simit from seven.', 500),
          detail: nullable(Short('The text is too long.', 500)),
          read_at: nullable(Time),
          created_at: Time,
        }),
      ),
      notification_settings: Type.Object({
        kinds: every(
          Type.Object({
            kind: Type.String({ maxLength: 60, description: 'Kind of notification.', examples: ['post.failed'] }),
            console: Type.String({ maxLength: 10, description: '`now` or `off`.', examples: ['now'] }),
            mail: Type.String({ maxLength: 10, description: '`now`, `digest` or `off`.', examples: ['now'] }),
            push: Type.String({ maxLength: 10, description: '`now` or `off`.', examples: ['now'] }),
            urgent: Type.Boolean({ description: 'Whether it is e-mailed and pushed in quiet hours, too.' }),
            always_mailed: Type.Boolean({ description: 'Whether its e-mails cannot be turned off.' }),
          }),
        ),
        digest_time: Type.String({ maxLength: 5, description: 'Time of the daily e-mail.', examples: ['08:30'] }),
        quiet_from: nullable(
          Type.String({ maxLength: 5, description: 'Beginning of quiet hours.', examples: ['22:00'] }),
        ),
        quiet_until: nullable(Type.String({ maxLength: 5, description: 'End of quiet hours.', examples: ['07:00'] })),
        timezone: Type.String({ maxLength: 60, description: 'Time zone.', examples: ['Europe/Istanbul'] }),
      }),
      push_subscriptions: every(
        Type.Object({
          id: idOf('push_subscription'),
          user_agent: sessionFields.user_agent,
          created_at: Time,
          last_used_at: nullable(Time),
        }),
      ),
      mails: every(
        Type.Object({
          id: idOf('mail'),
          key: Type.String({ maxLength: 60, description: 'Key of the e-mail.', examples: ['invitation'] }),
          locale: Type.String({
            maxLength: 35,
            description: 'Language of the template that the e-mail was written with.',
            examples: ['en'],
          }),
          subject: Type.String({
            maxLength: 1000,
            description: 'Subject. A code in it is removed.',
            examples: ['You are invited to Bakery'],
          }),
          state: Type.Enum(['kept', 'queued', 'sent', 'failed'], {
            type: 'string',
            description: 'State of the e-mail. `kept`: no mail server was set when it was written.',
          }),
          created_at: Time,
          sent_at: nullable(Time),
        }),
      ),
      subscriptions: every(
        Type.Object(
          {
            id: idOf('subscription'),
            workspace_id: idOf('workspace'),
            plan_code: Short('pro'),
            status: Short('active'),
            billing_period: Short('monthly'),
            currency: Short('TRY'),
            amount: Amount,
            current_period_start: Time,
            current_period_end: Time,
            ended_at: nullable(Time),
            provider: Short('stripe'),
            provider_customer_id: nullable(ProviderId),
            created_at: Time,
          },
          { description: 'Subscription of a workspace that you own.' },
        ),
      ),
      payments: every(
        Type.Object({
          id: idOf('payment'),
          workspace_id: idOf('workspace'),
          provider: Short('stripe'),
          provider_payment_id: ProviderId,
          currency: Short('TRY'),
          amount: Amount,
          paid_at: Time,
        }),
      ),
      invoices: every(
        Type.Object({
          id: idOf('invoice'),
          workspace_id: idOf('workspace'),
          number: Short('MYD-2026-000042'),
          kind: Short('invoice'),
          status: Short('paid'),
          currency: Short('TRY'),
          total: Amount,
          buyer: Type.Object({}, { additionalProperties: true }),
          issued_at: Time,
          paid_at: nullable(Time),
        }),
      ),
      payout_accounts: every(
        Type.Object({
          workspace_id: idOf('workspace'),
          holder: Short('Ada Lovelace', 100),
          iban_masked: nullable(Short('TR••••1326')),
          updated_at: Time,
        }),
      ),
      payouts: every(
        Type.Object({
          id: idOf('payout'),
          workspace_id: nullable(idOf('workspace')),
          currency: Short('TRY'),
          amount: Amount,
          status: Short('paid'),
          holder: Short('Ada Lovelace', 100),
          iban_masked: nullable(Short('TR••••1326')),
          reference: nullable(Short('EFT 4711', 200)),
          failure_reason: nullable(Short('The account is closed.', 500)),
          decided_at: nullable(Time),
          created_at: Time,
        }),
      ),
    },
    { title: 'PersonalExport', description: 'Everything that Meydan stores about you, and everything you wrote.' },
  ),
)
