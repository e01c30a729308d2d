import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, exampleId, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { Usd } from '../../../lib/money.ts'
import { TimeZone } from '../../auth/auth.schema.ts'
import { RunStatus } from './run-status.ts'

const agentCategories = [
  'content',
  'shop',
  'services',
  'food',
  'support',
  'seasonal',
  'software',
  'brand',
  'events',
  'hiring',
  'other',
] as const

const text = (description: string, maxLength: number, example: string) =>
  Type.String({ maxLength, description, examples: [example] })

const Level = Type.Enum(['draft', 'approve', 'auto'], {
  type: 'string',
  description: '`draft`: its posts stay drafts. `approve`: each waits for a member. `auto`: they are scheduled.',
  examples: ['approve'],
})
const Category = Type.Enum([...agentCategories], {
  type: 'string',
  description: 'Category.',
  examples: ['food'],
})
const TimeOfDay = (description: string, example: string) =>
  Type.String({ pattern: '^([01]\\d|2[0-3]):[0-5]\\d$', maxLength: 5, description, examples: [example] })
const flag = (description: string) => Type.Boolean({ description })

/** The part of an agent that a recipe shares. */
export const blueprint = {
  name: Line('Name', 'Dish of the day'),
  description: text('Description, in plain text.', 2000, 'One dish of the menu, every working day.'),
  category: Category,
  tags: Type.Array(Line('Tag', 'menu', 40), {
    maxItems: 10,
    uniqueItems: true,
    description: 'Tags.',
    examples: [['menu']],
  }),
  role: text('Role that the agent has.', 200, 'Cook'),
  persona: text('Persona that it writes as.', 2000, 'A cook who knows every farmer by name.'),
  system_prompt: text('Instructions for the model.', 8000, 'Write about one dish, how it smells and how it is made.'),
  image_style: text(
    'Style of its pictures. Cards have the colors that it names as `#rrggbb`, first that of the background.',
    500,
    'Photograph in daylight, no text.',
  ),
  voice: text('Tone and style of its texts.', 2000, 'Warm and short, without superlatives.'),
  language: nullable(
    Type.String({
      pattern: '^[a-z]{2,3}(-[A-Z]{2})?$',
      maxLength: 6,
      description: 'Language of its posts (BCP 47). Null for the language of the workspace.',
      examples: ['tr'],
    }),
  ),
  schedule_cron: nullable(
    Type.String({
      minLength: 9,
      maxLength: 100,
      description:
        'Times of its runs in five fields of cron, on the clocks of `timezone`. Runs are at least 15 minutes apart. Null if it runs by hand only.',
      examples: ['30 10 * * 1-6'],
    }),
  ),
  timezone: TimeZone,
  posts_per_run: Type.Integer({ minimum: 1, maximum: 10, description: 'Posts that a run writes.', examples: [1] }),
  daily_limit: Type.Integer({
    minimum: 1,
    maximum: 50,
    description: 'Maximum of posts on a day of its `timezone`, runs by hand included.',
    examples: [3],
  }),
  autonomy_level: Level,
  generate_image: flag(
    'Whether an image model makes a picture for each post, for 5 AI credits. With `video`, only for a post whose video failed.',
  ),
  design: flag(
    'Whether each post gets a card with its topic in large letters. With `generate_image` or `video`, only a post for which these failed.',
  ),
  video: flag(
    'Whether a video model makes a video for each post, for 20 AI credits. The post is created once the video is there. With `generate_image` or `design`, a post whose video failed gets one of these.',
  ),
}

export const MAX_ACCOUNTS = 50

const own = {
  account_ids: Type.Array(idOf('account'), {
    maxItems: MAX_ACCOUNTS,
    uniqueItems: true,
    description: 'Ids of the connected accounts that it writes for.',
  }),
  model_id: nullable(
    idOf('model', 'Id of its text model (`id_secure`). Null for the first active chat model of the workspace.'),
  ),
  link_domains: Type.Array(
    Type.String({
      pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$',
      maxLength: 253,
      description: 'Domain in lower case, with its subdomains.',
      examples: ['cafe.example'],
    }),
    {
      maxItems: 20,
      uniqueItems: true,
      description: 'Domains to which its posts may link. Without any, they link only to the entries of its sources.',
      examples: [['cafe.example']],
    },
  ),
  forbidden_words: Type.Array(Line('Word', 'cheap', 60), {
    maxItems: 100,
    uniqueItems: true,
    description: 'Words and phrases that its posts never have.',
    examples: [['cheap']],
  }),
  quiet_from: nullable(TimeOfDay('Time of day from which `auto` schedules nothing. Set both or neither.', '22:00')),
  quiet_until: nullable(TimeOfDay('Time of day until which `auto` schedules nothing.', '08:00')),
  monthly_credits: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'Budget: AI credits that it may use in a calendar month of the workspace, previews included. Its runs are skipped once they are used up. Null for no limit of its own.',
      examples: [200],
    }),
  ),
  monthly_spend_limit_usd: nullable(
    Usd(
      'Budget in money: what its models may cost in a calendar month of the workspace by their prices, previews included. Its runs are skipped once it does not allow another text, which `estimate.cost_usd.text_max` prices. Models without prices count as nothing. Null for no limit.',
      5,
      { minimum: 0.001, maximum: 1_000_000 },
    ),
  ),
}

const { name, ...optional } = blueprint

const InstalledRecipe = Type.Object(
  {
    id: idOf('recipe'),
    version: Count('Version that the agent has.', 1),
    latest_version: Count('Newest version. The same while the recipe is not in the catalog.', 2),
  },
  { description: 'Recipe that it was installed from. Null without one.' },
)

export const NewAgent = Closed(
  {
    name,
    ...Type.Partial(Type.Object({ ...optional, ...own })).properties,
  },
  {
    title: 'NewAgent',
    examples: [
      {
        name: 'Dish of the day',
        system_prompt: 'Write about one dish, how it smells and how it is made.',
        schedule_cron: '30 10 * * 1-6',
        timezone: 'Europe/Istanbul',
        account_ids: [exampleId('account')],
      },
    ],
  },
)
export const ChangeAgent = Closed(Type.Partial(Type.Object({ ...blueprint, ...own })).properties, {
  title: 'ChangeAgent',
  minProperties: 1,
  examples: [{ posts_per_run: 2, autonomy_level: 'draft' }],
})

export const PreviewedAgent = Closed(
  {
    agent_id: Type.Optional(
      idOf('agent', 'Id of the saved agent that is being changed. Fields that are left out have its values.'),
    ),
    ...Type.Partial(Type.Object({ ...blueprint, ...own })).properties,
  },
  {
    title: 'PreviewedAgent',
    examples: [{ name: 'Dish of the day', system_prompt: 'Write about one dish, how it smells and how it is made.' }],
  },
)

const { schedule_cron, timezone, posts_per_run, daily_limit, generate_image, video } = blueprint
const { model_id } = own
const planned = { schedule_cron, timezone, posts_per_run, daily_limit, generate_image, video, model_id }

/** The part of an agent that its costs depend on. */
export const PlannedAgent = Closed(Type.Partial(Type.Object(planned)).properties, {
  title: 'PlannedAgent',
  examples: [{ schedule_cron: '30 10 * * 1-6', timezone: 'Europe/Istanbul', posts_per_run: 1, generate_image: true }],
})

const CostRange = (description: string, post: number) =>
  Type.Object(
    {
      low: Usd('If every text is accepted at once.', post),
      high: Usd('If each text is long, and written three times.', 4 * post),
    },
    { description },
  )

const EstimatedCost = Type.Object(
  {
    month: CostRange('Cost of these days.', 0.023625),
    post: CostRange('Cost of one post.', 0.000875),
    text_max: Usd(
      'The most that one long text may cost. It is reserved while the text is written, so with a lower limit the agent may write none. 0 without a price.',
      0.0123,
    ),
    unpriced: Type.Array(Type.Enum(['text', 'image', 'video'], { type: 'string', examples: ['video'] }), {
      maxItems: 3,
      description: 'Kinds that the cost leaves out, because their model has no price.',
    }),
  },
  {
    description:
      'The same in US dollars, by the prices of the models. A text is taken to read 1,500 to 6,000 tokens and to write 250 to 1,000, a video to have 5 to 10 seconds.',
  },
)

export const AgentEstimate = Type.Object(
  {
    low: Count('AI credits if every text is accepted at once.', 162),
    high: Count('AI credits if each text is written three times.', 216),
    days: Count('Number of days that the estimate is for, from now on.', 31),
    runs: Count('Number of runs by its schedule in these days. 0 if it runs by hand only.', 27),
    posts: Count('Number of posts that these runs write at most, within `daily_limit`.', 27),
    post: Type.Object(
      {
        low: Count('AI credits of a post whose text is accepted at once.', 6),
        high: Count('AI credits of a post whose text is written three times.', 8),
      },
      { description: 'AI credits of one post: 1 for each text, and 20 for its video or 5 for its image.' },
    ),
    cost_usd: EstimatedCost,
  },
  {
    title: 'AgentEstimate',
    description:
      'AI credits and money that a month of an agent costs by its schedule. Runs by hand and blocked texts come on top. Runs whose sources have nothing new cost nothing.',
  },
)

export const Agent = Type.Object(
  {
    id: idOf('agent'),
    ...blueprint,
    ...own,
    auto_available: Type.Boolean({
      description:
        'Whether `autonomy_level` can be `auto`: its last ten posts that members decided on were approved, or the option `ai.agents_auto_from_start` is on.',
    }),
    acts_for: nullable(
      Type.Object(
        { id: idOf('user'), name: text('Name.', 80, 'Ada') },
        { description: 'Member whose rights its runs have: the last who changed it. Null if the user is gone.' },
      ),
    ),
    recipe: nullable(InstalledRecipe),
    spent_credits: Count('AI credits that it has used in this calendar month of the workspace, on all its models.', 42),
    spent_usd: Usd(
      'Cost of its models in this calendar month of the workspace. Calls in progress count once they end.',
      0.0425,
    ),
    estimate: AgentEstimate,
    is_active: Type.Boolean({ description: 'Whether it runs.' }),
    disabled_reason: nullable(
      Type.Enum(['failures', 'owner_gone'], {
        type: 'string',
        description:
          'Reason for which Meydan disabled it: `failures` (five failed runs in a row) or `owner_gone` (the member it acts for left). Null otherwise.',
        examples: ['failures'],
      }),
    ),
    next_run_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of its next run. Null without one.' })),
    last_run: nullable(
      Type.Object(
        {
          id: idOf('run'),
          status: RunStatus,
          reason: nullable(text('Reason, unless completed.', 100, 'daily_limit')),
          created_at: Time,
        },
        { description: 'Its latest run, without times that it missed. Null before the first.' },
      ),
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Agent' },
)

export const AgentQuery = Closed({
  ...PageQuery,
  is_active: Type.Optional(
    Type.Boolean({ description: 'Returns only agents that are enabled, or only those that are not.' }),
  ),
})

export const DisabledAgents = Type.Object(
  {
    disabled: Count('Number of agents that were disabled.', 2),
    held_posts: Count('Number of posts that agents had scheduled by themselves, and that are held now.', 3),
  },
  { title: 'DisabledAgents' },
)
