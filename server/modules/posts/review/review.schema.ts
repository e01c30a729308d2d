import { Type } from 'typebox'
import { Closed, Count, InputTime, idOf, nullable, TimeText } from '../../../lib/http/schema/schema.ts'
import { ClientLinkOfDecision, RejectionReason } from '../record/review-fields.schema.ts'

export const RequestApproval = Closed(
  {
    scheduled_at: Type.Optional(
      nullable(
        Type.Unsafe<string>({
          ...InputTime,
          description:
            'Time to publish, once the post is approved. Defaults to the time that it has, if that is in the future. Null for none.',
        }),
      ),
    ),
  },
  { title: 'RequestApproval' },
)

export const ApprovePost = Closed(
  {
    scheduled_at: Type.Optional(
      nullable(
        Type.Unsafe<string>({
          ...InputTime,
          description:
            'Time to publish. Defaults to `review_scheduled_at`, and is required when that has passed. Null approves the post as a draft without a time.',
        }),
      ),
    ),
  },
  { title: 'ApprovePost' },
)

export const RejectPost = Closed({ reason: RejectionReason }, { title: 'RejectPost' })

const MAX_STEPS = 5
/** People that a step names at most. */
const MAX_NAMED = 20
const approverRoles = ['editor', 'admin', 'owner'] as const

const need = Type.Enum(['any', 'all'], {
  type: 'string',
  description: '`any`: one of the people is enough. `all`: each of them must approve.',
  examples: ['any'],
})
const role = nullable(
  Type.Enum([...approverRoles], {
    type: 'string',
    description: 'Members with this role or a higher one decide. Null when `user_ids` names them.',
  }),
)
const userIds = Type.Array(idOf('user'), {
  maxItems: MAX_NAMED,
  uniqueItems: true,
  description: 'Members who decide: editors and higher roles. Empty with `role`.',
  examples: [[]],
})
const kind = Type.Enum(['members', 'client'], {
  type: 'string',
  description:
    '`members`: members of the workspace approve. `client`: a client approves through a client link, without an account. Only the last step of a policy can be one.',
  examples: ['members'],
})
const ApprovalStep = Closed({ kind, need, role, user_ids: userIds }, { title: 'ApprovalStep' })
const NewStep = Closed(
  {
    kind: Type.Optional(kind),
    need: Type.Optional(need),
    role: Type.Optional(role),
    user_ids: Type.Optional(userIds),
  },
  { title: 'NewApprovalStep' },
)

const modeOf = (modes: readonly ('inherit' | 'none' | 'one' | 'steps')[], description = '') =>
  Type.Enum([...modes], {
    type: 'string',
    description: `People who must approve posts. \`none\`: nobody. \`one\`: an editor or a higher role. \`steps\`: those of \`steps\`, one after the other.${description}`,
    examples: ['none'],
  })
const mode = modeOf(['none', 'one', 'steps'])
const ownPosts = Type.Boolean({
  description: 'Whether people who may approve may approve posts that they wrote.',
  examples: [false],
})
const steps = Type.Array(ApprovalStep, { maxItems: MAX_STEPS, description: 'Steps in their order.', examples: [[]] })
const whenUnapproved = Type.Enum(['wait', 'next_slot', 'expire'], {
  type: 'string',
  description:
    'Choice for posts whose time comes before they are approved. `wait`: the post goes on waiting, and its author and approvers get a mail. `next_slot`: it is planned for the next free time of the queue, or else waits. `expire`: it is rejected.',
  examples: ['wait'],
})

export const ApprovalPolicies = Type.Object(
  {
    mode,
    own_posts: ownPosts,
    steps,
    when_unapproved: whenUnapproved,
    accounts: Type.Array(
      Type.Object({
        account_id: idOf('account'),
        mode,
        own_posts: ownPosts,
        steps,
      }),
      {
        maxItems: 10_000,
        description: 'Policies of single accounts, in place of that of the workspace.',
        examples: [[]],
      },
    ),
  },
  { title: 'ApprovalPolicies' },
)

const newSteps = Type.Array(NewStep, {
  maxItems: MAX_STEPS,
  description: 'Steps in their order. Only with the mode `steps`, which requires them.',
  examples: [[]],
})

export const NewApprovalPolicy = Closed(
  {
    mode,
    own_posts: Type.Optional(ownPosts),
    steps: Type.Optional(newSteps),
    when_unapproved: Type.Optional(whenUnapproved),
  },
  { title: 'NewApprovalPolicy' },
)

export const NewAccountPolicy = Closed(
  {
    mode: modeOf(['inherit', 'none', 'one', 'steps'], ' `inherit`: those of the policy of the workspace.'),
    own_posts: Type.Optional(ownPosts),
    steps: Type.Optional(newSteps),
  },
  { title: 'NewAccountPolicy' },
)

const reviewState = {
  post_id: idOf('post'),
  waits_for_you: Type.Boolean({ description: 'Whether you can approve or reject the post now.', examples: [true] }),
  open: Type.Array(
    Type.Object({
      step: Count('Number of the step that is open, from 1.', 1),
      steps: Count('Number of steps of the policy.', 2),
      kind,
      need,
      approvers: Type.Array(
        Type.Object({ id: idOf('user'), name: Type.String({ maxLength: 200, examples: ['Ada'] }) }),
        {
          maxItems: 1000,
          description: 'People who can approve now. Empty if nobody can: change the policy, or give somebody the role.',
        },
      ),
    }),
    {
      maxItems: 50,
      description: 'Open steps, one for each policy of the accounts that is not met. Empty when nothing is missing.',
    },
  ),
  client_links: Count('Number of valid client links that let a client decide on the post now.'),
}

export const ReviewState = Type.Object(reviewState, { title: 'ReviewState' })

export const Review = Type.Object(
  {
    ...reviewState,
    decisions: Type.Array(
      Type.Object({
        id: idOf('decision'),
        decision: Type.Enum(['approved', 'rejected'], { type: 'string' }),
        reason: nullable(RejectionReason),
        step: Count('Number of the step that it counted for, from 1.', 1),
        is_current: Type.Boolean({
          description:
            'Whether the content of the post is still as it was then. If not, the decision no longer counts.',
        }),
        by: nullable(
          Type.Object(
            { id: idOf('user'), name: Type.String({ maxLength: 200, examples: ['Ada'] }) },
            { description: 'Person who decided. Null for Meydan, a client, and a user who no longer exists.' },
          ),
        ),
        client_link: nullable(ClientLinkOfDecision),
        token_id: nullable(idOf('token', 'Id of the API token that was used. Null for a session.')),
        decided_at: Type.Unsafe<string>({ ...TimeText, description: 'Time of the decision.' }),
      }),
      { maxItems: 200, description: 'The latest decisions on the post, newest first.' },
    ),
  },
  { title: 'Review' },
)
