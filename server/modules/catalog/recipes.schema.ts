import { type Static, Type } from 'typebox'
import { PageQuery } from '../../lib/db/page.ts'
import { Closed, Count, exampleId, idOf, Line, nullable, Time } from '../../lib/http/schema/schema.ts'
import { Agent, blueprint, type ChangeAgent } from '../agents/record/agents.schema.ts'
import { NewAgentSource } from '../agents/sources/sources.schema.ts'

const { name, description, category, tags } = blueprint

const Source = Type.Object(
  {
    kind: Type.Enum(['feed', 'page', 'text'], { type: 'string', description: 'Kind.', examples: ['text'] }),
    label: Line('Material that it expects', 'Dishes of the week'),
  },
  { title: 'RecipeSource' },
)

/** Everything that a recipe shares. A version of it is never changed. */
export const RecipeBody = Closed({
  ...blueprint,
  sources: Type.Array(Source, {
    maxItems: 5,
    description: 'Sources that an installed agent asks for. Their addresses and texts are never shared.',
  }),
})
export type RecipeBody = Static<typeof RecipeBody>

export const Recipe = Type.Object(
  {
    id: idOf('recipe'),
    ...RecipeBody.properties,
    version: Count('Number of this version. Publishing the agent again and changing the recipe add one.', 1),
    published: Type.Boolean({ description: 'Whether others can install it.', examples: [true] }),
    taken_down_at: nullable(
      Type.Unsafe<Date>({
        ...Time,
        description: 'Time at which an instance admin hid it. Null while it is not hidden.',
      }),
    ),
    take_down_reason: nullable(
      Type.String({ maxLength: 500, description: 'Reason for hiding it.', examples: ['Copied texts'] }),
    ),
    install_count: Count('Number of workspaces that installed it, without the one of its creator.', 42),
    is_built_in: Type.Boolean({ description: 'Whether it comes with Meydan.' }),
    creator_id: nullable(
      idOf(
        'user',
        'Id of the user who published it first. Null in recipes of workspaces in which you are not a member.',
      ),
    ),
    workspace_id: nullable(
      idOf(
        'workspace',
        'Id of the workspace of its agent. Null in recipes of workspaces in which you are not a member.',
      ),
    ),
    agent_id: nullable(
      idOf('agent', 'Id of the agent that it was published from. Null in recipes of other workspaces.'),
    ),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Recipe' },
)

export const RecipeQuery = Closed({
  ...PageQuery,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Words in name, description and tags, or their beginnings.',
      examples: ['menu'],
    }),
  ),
  category: Type.Optional(category),
  language: Type.Optional(
    Type.String({
      pattern: '^[a-z]{2,3}(-[A-Z]{2})?$',
      maxLength: 6,
      description: 'Returns only recipes in this language (BCP 47), and those in the language of any workspace.',
      examples: ['tr'],
    }),
  ),
  sort: Type.Optional(
    Type.Enum(['installs', 'new'], {
      type: 'string',
      default: 'installs',
      description: 'Order: `installs`: most installed first. `new`: newest first.',
    }),
  ),
  mine: Type.Optional(
    Type.Boolean({ description: 'true: returns all recipes of your workspaces, also those that are not published.' }),
  ),
})

const listing = { name, description, category, tags }

export const PublishRecipe = Closed(
  { agent_id: idOf('agent'), ...Type.Partial(Type.Object(listing)).properties, category },
  {
    title: 'PublishRecipe',
    examples: [{ agent_id: exampleId('agent'), category: 'food', tags: ['menu'] }],
  },
)
export const ChangeRecipe = Closed(Type.Partial(Type.Object(listing)).properties, {
  title: 'ChangeRecipe',
  minProperties: 1,
  examples: [{ description: 'One dish of the menu, every working day.' }],
})
const { kind, url, text } = NewAgentSource.properties

const GivenSource = Closed(
  {
    label: Source.properties.label,
    kind: Type.Optional(kind),
    url,
    text,
  },
  { title: 'GivenSource' },
)
export const InstallRecipe = Closed(
  {
    name: Type.Optional(name),
    account_ids: Type.Optional(Agent.properties.account_ids),
    sources: Type.Optional(
      Type.Array(GivenSource, {
        maxItems: 5,
        description: 'Addresses and texts of sources of the recipe. The others can be completed later.',
      }),
    ),
  },
  {
    title: 'InstallRecipe',
    examples: [{ name: 'Dish of the day' }],
  },
)

export const RecipeVersion = Type.Object(
  { ...RecipeBody.properties, version: Recipe.properties.version, created_at: Time },
  { title: 'RecipeVersion' },
)

/** Fields of an installed agent that an update of its recipe can change. */
export const updatable = [
  ...(['description', 'category', 'tags', 'role', 'persona', 'system_prompt', 'image_style', 'voice'] as const),
  ...(['posts_per_run', 'daily_limit', 'generate_image', 'design', 'video'] as const),
] as const
type Updatable = (typeof updatable)[number]

const UpdatableField = Type.Enum([...updatable], {
  type: 'string',
  description: 'Name of a field of an agent.',
  examples: ['system_prompt'],
})
const Value = (description: string) =>
  Type.Unsafe<RecipeBody[Updatable]>({
    type: ['string', 'integer', 'boolean', 'array'],
    maxLength: 8000,
    minimum: 0,
    maximum: 100,
    maxItems: 10,
    items: blueprint.tags.items,
    description,
    examples: ['Write about one dish.'],
  })

export const RecipeDiff = Type.Object(
  {
    installed_version: Count('Version that the agent has.', 1),
    latest_version: Count('Newest version. The same if there is no newer one.', 2),
    fields: Type.Array(
      Type.Object(
        {
          field: UpdatableField,
          installed: Value('Value in the installed version.'),
          current: Value('Value that the agent has now.'),
          latest: Value('Value in the newest version.'),
          edited: Type.Boolean({ description: 'Whether the agent was changed here since it was installed.' }),
        },
        { title: 'RecipeDifference' },
      ),
      { maxItems: updatable.length, description: 'Fields whose value in the newest version the agent does not have.' },
    ),
  },
  { title: 'RecipeDiff' },
)
export const UpdateFromRecipe = Closed(
  {
    version: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Version to update to. It must be the newest one.',
      examples: [1],
    }),
    fields: Type.Array(UpdatableField, {
      maxItems: updatable.length,
      uniqueItems: true,
      description: 'Fields to take from that version. The others keep their values.',
      examples: [['system_prompt']],
    }),
  },
  { title: 'UpdateFromRecipe' },
)

/** Change of an agent by an update. The type keeps `updatable` to fields that agents have. */
export type RecipeUpdate = Pick<Static<typeof ChangeAgent>, Updatable>
