import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, exampleId, idOf, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { TimeZone } from '../../auth/auth.schema.ts'
import { Labels, NewPost, Post, Target } from '../record/posts.schema.ts'

/** Variants that a recurring post can have. */
const MAX_VARIANTS = 10

export const SHOWN_OCCURRENCES = 5
export const PREVIEWED_OCCURRENCES = 10

export const pauseReasons = ['by_member', 'author_gone'] as const

/** Why an occurrence has no post, or waits, or has a post that lacks something. */
const occurrenceReasons = ['missed', 'limit_reached', 'account_unavailable', 'accounts_left_out', 'not_valid'] as const
export type OccurrenceReason = (typeof occurrenceReasons)[number]

const reasonText =
  '`missed`: its time passed while nothing ran. `limit_reached`: the plan allows no further post. `account_unavailable`: an account is disconnected, paused or removed. `accounts_left_out`: its post goes only to the accounts that were connected. `not_valid`: the post cannot be scheduled as it is.'
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

const times = { rule: RuleText, starts_at: StartsAt }

export const NewRecurringPost = Closed(
  {
    ...times,
    timezone: Type.Optional({
      ...TimeZone,
      description: 'Time zone (IANA), such as `Europe/Istanbul`. Defaults to that of the workspace.',
    }),
    variants,
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
    labels: Type.Optional(Labels),
  },
  { title: 'ChangeRecurringPost', minProperties: 1 },
)

export const PreviewRecurrence = Closed(
  {
    ...times,
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
  { title: 'PreviewRecurrence' },
)
export const RecurrencePreview = Type.Object(
  {
    rule: RuleText,
    timezone: TimeZone,
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
    starts_at: StartsAt,
    timezone: TimeZone,
    variants: Type.Array(Variant, { maxItems: MAX_VARIANTS, description: 'Posts to publish, each in its turn.' }),
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
