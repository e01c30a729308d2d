import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, exampleId, InputTime, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { TimeZone } from '../../auth/auth.schema.ts'
import { Labels, NewPost, Post, Target } from '../record/posts.schema.ts'

/** Variants that a recurring post can have. */
const MAX_VARIANTS = 10

export const SHOWN_OCCURRENCES = 10
export const PREVIEWED_OCCURRENCES = 10

export const variantOrders = ['in_order', 'shuffled'] as const

export const pauseReasons = ['by_member', 'author_gone'] as const

/** Why an occurrence has no post, or waits, or has a post that lacks something. */
const occurrenceReasons = [
  'missed',
  'by_member',
  'limit_reached',
  'account_unavailable',
  'accounts_left_out',
  'not_valid',
] as const
export type OccurrenceReason = (typeof occurrenceReasons)[number]

const reasonText =
  '`missed`: its time passed while nothing ran. `by_member`: a member skipped it. `limit_reached`: the plan allows no further post. `account_unavailable`: an account is disconnected, paused or removed. `accounts_left_out`: its post goes only to the accounts that were connected. `not_valid`: the post cannot be scheduled as it is.'
const Reason = nullable(Type.Enum([...occurrenceReasons], { type: 'string', description: reasonText }))
const Detail = nullable(Type.String({ maxLength: 400, description: 'Explanation of the reason, in English.' }))

const RuleText = Type.String({
  minLength: 10,
  maxLength: 300,
  description:
    'Recurrence rule (RRULE of RFC 5545): `FREQ` (`DAILY`, `WEEKLY`, `MONTHLY`, `YEARLY`), `INTERVAL`, `BYDAY`, `BYMONTHDAY`, `BYMONTH`, `BYSETPOS`, `WKST`, and `COUNT` or `UNTIL`. An `UNTIL` without `Z` is on the clocks of `timezone`; a date includes its day.',
  examples: ['FREQ=WEEKLY;BYDAY=MO,TH'],
})
const StartsAt = Type.String({
  pattern: '^\\d{4}-\\d{2}-\\d{2}T([01]\\d|2[0-3]):[0-5]\\d$',
  maxLength: 16,
  description:
    'Date and time from which the rule counts, on the clocks of `timezone` and without an offset. Its time of day is that of all occurrences. It is an occurrence only if the rule matches it.',
  examples: ['2026-12-01T09:30'],
})

const words = (text: string) => Type.String({ maxLength: 300, examples: [text] })
const RuleInWords = nullable(
  Type.Object(
    {
      en: words('every 2 weeks on Tuesday at 09:00 until 31 May 2027'),
      tr: words('2 haftada bir salı saat 09:00, 31 Mayıs 2027 tarihine kadar'),
    },
    {
      description:
        'The rule in words, which `text` of the preview reads as the same rule. Null for a rule that cannot be said in such words.',
    },
  ),
)
const LastOccursAt = nullable({
  ...Time,
  description: 'Time of the last occurrence by the rule. Null: the rule has no end.',
})

const { content, media_ids, thread, first_comment, account_ids, targets } = NewPost.properties
const NewVariant = Closed(
  { content, media_ids, thread, first_comment, account_ids, targets },
  { title: 'NewVariant', examples: [{ content: 'Open from seven.', account_ids: [exampleId('account')] }] },
)
const variants = Type.Array(NewVariant, {
  minItems: 1,
  maxItems: MAX_VARIANTS,
  description: 'Posts to publish. Each occurrence gets the next variant, and after the last one the first again.',
})

const VariantOrder = Type.Enum([...variantOrders], {
  type: 'string',
  description:
    'Order in which variants take turns. `shuffled`: each comes once before any comes again, in an order that changes.',
})

const times = { rule: RuleText, starts_at: StartsAt }

export const NewRecurringPost = Closed(
  {
    ...times,
    timezone: Type.Optional({
      ...TimeZone,
      description: 'Time zone (IANA), such as `Europe/Istanbul`. Defaults to that of the workspace.',
    }),
    variants,
    variant_order: Type.Optional({ ...VariantOrder, default: 'in_order' }),
    labels: Type.Optional(Labels),
  },
  { title: 'NewRecurringPost' },
)
export const ChangeRecurringPost = Closed(
  {
    rule: Type.Optional(RuleText),
    starts_at: Type.Optional(StartsAt),
    timezone: Type.Optional(TimeZone),
    variants: Type.Optional(variants),
    variant_order: Type.Optional(VariantOrder),
    labels: Type.Optional(Labels),
  },
  { title: 'ChangeRecurringPost', minProperties: 1 },
)

const From = {
  ...InputTime,
  description: 'Time of an occurrence to come by the rule, one of `next_occurrences`.',
}
export const SplitRecurringPost = Closed(
  { from: From, ...ChangeRecurringPost.properties },
  {
    title: 'SplitRecurringPost',
    minProperties: 2,
    examples: [{ from: '2026-12-08T06:30:00.000Z', labels: ['menu'] }],
  },
)

export const ChangeImpactQuery = Closed({ from: Type.Optional(From) })
export const ChangeImpact = Type.Object(
  {
    replaced: Count('Posts to come that nobody edited: they are deleted and created again.'),
    edited: Count('Posts to come that somebody edited or moved: they stay as they are.'),
    published: Count('Posts that were published, are being published or failed: no change concerns them.'),
    rule: {
      ...RuleText,
      description: 'The rule. With `from`, that of the new recurring post, with the rest of `COUNT`.',
    },
    starts_at: { ...StartsAt, description: 'The start. With `from`, that of the new recurring post.' },
    is_first: Type.Boolean({
      description:
        'Whether `from` is the first occurrence. Then there is nothing to split: change the recurring post itself.',
    }),
  },
  { title: 'ChangeImpact' },
)

export const SkipOccurrence = Closed(
  { occurs_at: { ...InputTime, description: 'Time of the occurrence by the rule, one of `next_occurrences`.' } },
  { title: 'SkipOccurrence' },
)

export const NewOccurrencePost = Closed(SkipOccurrence.properties, { title: 'NewOccurrencePost' })

export const PreviewRecurrence = Closed(
  {
    rule: Type.Optional({ ...RuleText, description: 'Recurrence rule, with `starts_at`. Send either this or `text`.' }),
    text: Type.Optional(
      Type.String({
        maxLength: 200,
        description:
          'The rule in words, in English or Turkish. It can say the days, the time, the first day and the end. What it does not say is taken from `starts_at`, which is today at 09:00 by default. 400 names the part that was not understood, or that can mean two things.',
        examples: ['every second Tuesday at 09:00 until June'],
      }),
    ),
    starts_at: Type.Optional(StartsAt),
    timezone: Type.Optional(TimeZone),
    variants: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_VARIANTS,
        description: 'Number of variants that take turns. Defaults to 1.',
        examples: [1],
      }),
    ),
  },
  {
    title: 'PreviewRecurrence',
    examples: [{ text: 'every second Tuesday at 09:00 until June', timezone: 'Europe/Istanbul' }],
  },
)
export const RecurrencePreview = Type.Object(
  {
    rule: RuleText,
    rule_text: RuleInWords,
    starts_at: StartsAt,
    timezone: TimeZone,
    last_occurs_at: LastOccursAt,
    occurrences: Type.Array(Time, {
      maxItems: PREVIEWED_OCCURRENCES,
      description: `The next ${PREVIEWED_OCCURRENCES} times, or all until the rule ends.`,
    }),
    repeats_text: Type.Boolean({
      description:
        'Whether a variant returns within three days. Networks can take the same text for spam: add variants, or repeat less often.',
    }),
  },
  { title: 'RecurrencePreview' },
)

const Variant = Type.Object(
  {
    content: Post.properties.content,
    media_ids: Post.properties.media_ids,
    thread: Post.properties.thread,
    first_comment: Post.properties.first_comment,
    targets: Type.Array(
      Type.Object(
        {
          account_id: Target.properties.account_id,
          content: Target.properties.content,
          media_ids: Target.properties.media_ids,
          thread: Target.properties.thread,
          first_comment: Target.properties.first_comment,
          options: Target.properties.options,
        },
        { title: 'VariantTarget' },
      ),
      { maxItems: 50, description: 'Accounts to publish on.' },
    ),
  },
  { title: 'Variant' },
)

export const RecurringPost = Type.Object(
  {
    id: idOf('recurring_post'),
    rule: RuleText,
    rule_text: RuleInWords,
    starts_at: StartsAt,
    timezone: TimeZone,
    variants: Type.Array(Variant, { maxItems: MAX_VARIANTS, description: 'Posts to publish, each in its turn.' }),
    variant_order: VariantOrder,
    labels: Labels,
    status: Type.Enum(['active', 'paused', 'ended'], {
      type: 'string',
      description: '`ended`: the rule has no further occurrence.',
    }),
    pause_reason: nullable(
      Type.Enum([...pauseReasons], {
        type: 'string',
        description:
          'Reason of the pause. `author_gone`: its author can no longer create posts here. Who resumes it becomes its author. Null while not paused.',
      }),
    ),
    waiting_reason: {
      ...Reason,
      description: `Reason why the next occurrence could not be created yet. It is tried again until its time, and then skipped. Null without one. ${reasonText}`,
    },
    waiting_detail: Detail,
    next_occurrences: Type.Array(
      Type.Object({
        occurs_at: { ...Time, description: 'Time of the occurrence by the rule.' },
        post_id: nullable(
          idOf('post', 'Id of its post. Null until it is created, at most seven days before its time.'),
        ),
      }),
      { maxItems: SHOWN_OCCURRENCES, description: `The next ${SHOWN_OCCURRENCES} occurrences. None while paused.` },
    ),
    last_occurs_at: LastOccursAt,
    split_from: nullable(
      idOf(
        'recurring_post',
        'Id of the recurring post that this one goes on with. Null without one, and if it was deleted.',
      ),
    ),
    author_id: nullable(
      idOf('user', 'Id of the user in whose name posts are created. Null if that user no longer exists.'),
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'RecurringPost' },
)

export const Occurrence = Type.Object(
  {
    id: idOf('occurrence'),
    occurs_at: { ...Time, description: 'Time of the occurrence by the rule.' },
    status: Type.Enum(['created', 'skipped'], { type: 'string', description: '`skipped`: it has no post.' }),
    variant: Count('Place of its variant, from 0.'),
    post_id: nullable(idOf('post', 'Id of its post. Null if it was skipped, or if the post was erased.')),
    reason: Reason,
    detail: Detail,
    created_at: Time,
  },
  { title: 'Occurrence' },
)

export const RecurringPostQuery = Closed(PageQuery)

/** Occurrences that the calendar gets at most: a hundred recurring posts each day for ten days. */
export const MAX_UPCOMING = 1000

export const UpcomingQuery = Closed({
  from: Type.Optional({ ...InputTime, description: 'Beginning of the span. Defaults to now.' }),
  to: Type.Optional({
    ...InputTime,
    description: 'End of the span, exclusive, at most 62 days after `from`. Defaults to 30 days after it.',
  }),
})
export const UpcomingOccurrence = Type.Object(
  {
    recurring_post_id: idOf('recurring_post'),
    occurs_at: Occurrence.properties.occurs_at,
    status: Type.Enum(['planned', 'skipped'], {
      type: 'string',
      description: '`planned`: its post will be created. `skipped`: a member skipped it, which can be undone.',
    }),
    author_id: RecurringPost.properties.author_id,
    excerpt: Type.String({
      maxLength: 200,
      description: 'First words of the first variant.',
      examples: ['Open from seven.'],
    }),
    account_ids: Type.Array(idOf('account'), { maxItems: 500, description: 'Accounts of all variants.' }),
    labels: Labels,
  },
  { title: 'UpcomingOccurrence' },
)
export const UpcomingOccurrences = Type.Object(
  { data: Type.Array(UpcomingOccurrence, { maxItems: MAX_UPCOMING, description: 'The first thousand.' }) },
  { title: 'UpcomingOccurrences' },
)
