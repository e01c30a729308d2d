import { type Static, Type } from 'typebox'
import { Closed, Count, nullable } from '../../lib/http/schema/schema.ts'
import { accountMetrics, postMetrics } from './metrics.ts'
import { optionPlaces } from './options.ts'

/** An id of a network; its example is one that every instance has. */
export const NetworkId = Type.String({
  maxLength: 40,
  description: 'Id of the network, as listed by `GET /accounts/networks`.',
  examples: ['playground'],
})

/** A network with one server at which accounts sign in. */
export const oauthNetworkExample = 'linkedin'

export const OAuthNetworkId = Type.String({
  maxLength: 40,
  description: 'Id of a network whose `connect.kind` is `oauth2`, as listed by `GET /accounts/networks`.',
  examples: [oauthNetworkExample],
})

export const NetworksQuery = Closed({
  locale: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 35,
      description: 'Language of the texts, as a language tag such as `tr`. English by default.',
    }),
  ),
})

const price = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 999_999_999, description, examples: [example] })

const Pricing = Type.Object(
  {
    post: price('Price of a post, of each further part of a thread, and of a first comment.', 15_000),
    post_with_link: price('Price of one whose text has a link, in place of `post`.', 200_000),
    alt_text: price('Price of an alternative text.', 5000),
    read: price('Price of a post that is read, such as to look up one whose response was lost.', 5000),
    delete: price('Price of deleting a post.', 10_000),
    as_of: Type.String({
      format: 'date',
      maxLength: 10,
      description: 'Day on which the network had these prices.',
      examples: ['2026-08-22'],
    }),
    source: Type.String({
      maxLength: 400,
      description: 'Page of the network with its prices.',
      examples: ['https://docs.example.com/pricing'],
    }),
    is_changed: Type.Boolean({
      description: 'Whether an instance admin has set a price, by the option `networks.prices`.',
      examples: [false],
    }),
  },
  {
    title: 'Pricing',
    description: 'Prices that the owner of the app pays the network for its API, in millionths of a US dollar.',
  },
)

const limit = (description: string, example: number) => Type.Optional(Type.Number({ description, examples: [example] }))

const FileRules = Type.Object(
  {
    max: Count('Maximum number of files of this kind in one part of a post.', 4),
    mimes: Type.Array(Type.String({ maxLength: 100, examples: ['image/jpeg'] }), {
      maxItems: 30,
      description: 'Media types that the network takes. Images of another type are converted when that loses nothing.',
    }),
    max_bytes: Count('Maximum size of a file in bytes.', 2_000_000),
    alone: Type.Optional(
      Type.Boolean({ description: 'Whether files of this kind are refused beside other kinds. False by default.' }),
    ),
    max_width: limit('Maximum width in pixels.', 4000),
    max_height: limit('Maximum height in pixels.', 4000),
    max_pixels: limit('Maximum of width times height.', 33_000_000),
    max_width_plus_height: limit('Maximum of width plus height, in pixels.', 10_000),
    min_aspect: limit('Minimum of width divided by height.', 0.05),
    max_aspect: limit('Maximum of width divided by height.', 20),
    min_duration_s: limit('Minimum duration in seconds.', 1),
    max_duration_s: limit('Maximum duration in seconds.', 180),
  },
  { title: 'FileRules' },
)

const MediaRules = Type.Object(
  {
    kinds: Type.Object(
      {
        image: Type.Optional(FileRules),
        gif: Type.Optional(FileRules),
        video: Type.Optional(FileRules),
        document: Type.Optional(FileRules),
      },
      { description: 'Rules of each kind of file that the network takes. `gif`: any animated image.' },
    ),
    max: Count('Maximum number of files in one part of a post.', 4),
    mixed: Type.Boolean({ description: 'Whether files of different kinds can be in one part.' }),
    required: Type.Boolean({ description: 'Whether a post without a file is refused.' }),
    max_alt_length: nullable(
      Count('Maximum length of an alternative text in characters. Null if the network has none.', 1500),
    ),
  },
  { title: 'MediaRules' },
)

const Capabilities = Type.Object(
  {
    counting: Type.Enum(['graphemes', 'code_points', 'utf16', 'weighted', 'emoji_bytes'], {
      type: 'string',
      description:
        'Unit of the length of a text. `graphemes`: characters as readers see them; a family emoji is one. `code_points`: Unicode code points. `utf16`: UTF-16 code units, as JavaScript counts. `weighted`: an emoji and a character of Chinese, Japanese or Korean count as two, and `example.com` is a link. `emoji_bytes`: code points, but an emoji counts as its bytes of UTF-8.',
    }),
    link_length: nullable(
      Count('Length that each link counts as, however long it is. Null if it counts as written.', 23),
    ),
    short_mentions: Type.Boolean({ description: 'Whether `@name@host` counts as `@name`.' }),
    max_length: Count('Maximum length of a text, in the unit of `counting`.', 300),
    max_length_with_media: nullable(
      Count('Maximum length of the text of a part with files. Null if it is `max_length`.', 1024),
    ),
    max_bytes: nullable(Count('Maximum length of a text in bytes of UTF-8. Null if there is no such limit.', 3000)),
    media: nullable(MediaRules),
    max_parts: Count('Maximum number of parts of a thread, the post itself included. 1 without threads.', 25),
    first_comment: Type.Boolean({ description: 'Whether a first comment can be published below a post.' }),
    link_card: Type.Boolean({ description: 'Whether a link in the text is shown as a card.' }),
    edit: Type.Boolean({ description: 'Whether the text of a published post can be changed.' }),
    delete: Type.Boolean({ description: 'Whether a published post can be deleted.' }),
  },
  { title: 'Capabilities' },
)

const { properties } = Capabilities

/** Capabilities that an account or an option of a post can change. */
export const AccountLimits = {
  counting: Type.Optional(properties.counting),
  max_length: Type.Optional(properties.max_length),
  max_bytes: Type.Optional(properties.max_bytes),
  link_length: Type.Optional(properties.link_length),
  short_mentions: Type.Optional(properties.short_mentions),
  media: Type.Optional(properties.media),
  max_parts: Type.Optional(properties.max_parts),
  first_comment: Type.Optional(properties.first_comment),
  edit: Type.Optional(properties.edit),
  delete: Type.Optional(properties.delete),
}

export const OptionInfo = Type.Object(
  {
    key: Type.String({
      maxLength: 40,
      description: 'Name of the field in `options` of a target.',
      examples: ['langs'],
    }),
    label: Type.String({ maxLength: 80, examples: ['Languages'] }),
    help: Type.Optional(Type.String({ maxLength: 400 })),
    required: Type.Boolean({ description: 'Whether a post cannot be scheduled without it.' }),
    shown_as: Type.Optional(
      Type.Enum([...optionPlaces], {
        type: 'string',
        description: 'Place of a preview in which readers see the value. Absent if they do not see it in the post.',
        examples: ['title'],
      }),
    ),
    type: Type.Enum(['text', 'select', 'switch', 'list'], {
      type: 'string',
      description:
        'Type of the value. `text` and `select`: a string. `switch`: a boolean. `list`: an array of strings.',
      examples: ['list'],
    }),
    max_length: limit('Maximum length of the text, or of each text of a list.', 20),
    is_counted: Type.Optional(
      Type.Boolean({ description: 'Whether its length counts towards that of the text.', examples: [true] }),
    ),
    max_items: limit('Maximum number of texts of a list.', 3),
    pattern: Type.Optional(
      Type.String({ maxLength: 200, description: 'Pattern of the text, or of each text of a list.' }),
    ),
    default: Type.Optional(
      Type.Unsafe<string | boolean>({ type: ['string', 'boolean'], maxLength: 100, description: 'Value when unset.' }),
    ),
    choices: Type.Optional(
      Type.Array(
        Type.Object({
          value: Type.String({ maxLength: 100, examples: ['public'] }),
          label: Type.String({ maxLength: 80, examples: ['Public'] }),
          shown_as: Type.Optional(
            Type.Enum(['reel', 'story'], {
              type: 'string',
              description: 'Format of a post with this value, which fills the screen of a phone.',
              examples: ['story'],
            }),
          ),
          limits: Type.Optional(
            Type.Object(AccountLimits, {
              description: 'Capabilities in which a post with this value differs, such as those of a story.',
              examples: [{}],
            }),
          ),
        }),
        { maxItems: 50, description: 'Values of a `select`.' },
      ),
    ),
  },
  { title: 'NetworkOption' },
)

const hexColor = () => Type.String({ pattern: '^#[0-9a-f]{6}$', maxLength: 7, examples: ['#1185fe'] })

/** Appearance of a post for its readers there, so that a preview can imitate it. */
export const Preview = Type.Object(
  {
    handle_prefix: Type.String({
      maxLength: 4,
      description: 'Stands before the handle of an account, such as `@`.',
      examples: ['@'],
    }),
    layout: Type.Enum(['feed', 'chat', 'bubble', 'media_first', 'article'], {
      type: 'string',
      description:
        'Arrangement of a post. `feed`: the text, then the files. `chat`: a message with its sender. `bubble`: a message with the text below its files. `media_first`: files, then a caption. `article`: a title and paragraphs.',
      examples: ['feed'],
    }),
    avatar: Type.Enum(['circle', 'square', 'none'], { type: 'string', description: 'Shape of the avatar.' }),
    byline: Type.Enum(['handle_beside', 'handle_below', 'handle_alone', 'time_beside', 'time_below'], {
      type: 'string',
      description:
        'Place of the handle and the time, or of the time alone, relative to the name. `handle_alone`: the handle is in place of the name.',
    }),
    is_indented: Type.Boolean({ description: 'Whether the text stands beside the avatar, not below it.' }),
    fold: nullable(
      Type.Object(
        { characters: Count('Number of characters shown.', 210), lines: Count('Number of lines shown.', 3) },
        { description: 'Part of a text that readers see before they open the rest. Null: all of it.' },
      ),
    ),
    linked: Type.Array(Type.Enum(['link', 'mention', 'hashtag'], { type: 'string' }), {
      maxItems: 3,
      description: 'Words of a text that lead somewhere.',
      examples: [['link', 'hashtag']],
    }),
    shortens_links: Type.Boolean({ description: 'Whether links in a text are shown without `https://`, and cut.' }),
    link_color: Type.Object(
      { light: hexColor(), dark: hexColor() },
      { description: 'Color of what leads somewhere, on a light and on a dark ground.' },
    ),
    files: Type.Enum(['grid', 'collage', 'mosaic', 'carousel', 'row', 'featured'], {
      type: 'string',
      description:
        'Arrangement of files. `grid`: up to four. `collage`: up to five from edge to edge. `mosaic`: up to ten. `carousel`: one at a time. `row`: beside each other. `featured`: the first image above the text, and the others below it one by one.',
      examples: ['grid'],
    }),
    one_video: Type.Enum(['player', 'reel'], {
      type: 'string',
      description: 'Appearance of a video that is the only file. `reel`: fills the screen of a phone.',
    }),
    link_card: nullable(
      Type.Enum(['large', 'compact', 'overlay', 'quote'], {
        type: 'string',
        description:
          'Card of a link. `large`: the image above the title. `compact`: beside it. `overlay`: below it. `quote`: beside a line. Null: none.',
      }),
    ),
    actions: Type.Array(
      Type.Enum(['reply', 'comment', 'repost', 'share', 'send', 'like', 'thumb', 'star', 'bookmark', 'more'], {
        type: 'string',
      }),
      { maxItems: 10, description: 'Buttons below a post, in their order.' },
    ),
    action_labels: Type.Boolean({ description: 'Whether the buttons have names beside their icons.' }),
  },
  { description: 'Appearance of a post for its readers there, so that a preview can imitate it.' },
)
export type Preview = Static<typeof Preview>

export const NetworkInfo = Type.Object(
  {
    id: Type.String({ maxLength: 40, examples: ['bluesky'] }),
    name: Type.String({ maxLength: 80, examples: ['Bluesky'] }),
    description: Type.String({ maxLength: 400, examples: ['Posts to an account on Bluesky.'] }),
    icon: Type.Object(
      {
        view_box: Type.String({ maxLength: 40, description: 'The `viewBox` of the SVG.', examples: ['0 0 24 24'] }),
        paths: Type.Array(
          Type.Object({
            d: Type.String({ maxLength: 4000, examples: ['M4 4h16v16H4z'] }),
            fill: nullable(
              Type.String({
                pattern: '^#[0-9a-f]{6}$',
                maxLength: 7,
                description: 'Null: the color of the text.',
                examples: ['#1185fe'],
              }),
            ),
          }),
          { maxItems: 20 },
        ),
      },
      { description: 'Logo of the network, as the paths of an SVG in their order.' },
    ),
    connect: Type.Object({
      kind: Type.Enum(['form', 'oauth2'], {
        type: 'string',
        description:
          'Way to connect an account. `form`: `POST /accounts` with the fields of `form`. `oauth2`: its owner signs in at the network, by `POST /accounts/connections`; if there are fields in `form`, `POST /accounts` takes credentials as well.',
      }),
      available: Type.Boolean({
        description:
          'Whether accounts can be connected in this way. False until an instance admin has set up the app of the network. Networks with servers to name need none.',
        examples: [true],
      }),
      app: nullable(
        Type.Enum(['workspace', 'instance'], {
          type: 'string',
          description:
            'App with which a sign-in begins. `workspace`: that of the workspace. `instance`: that of the instance, or one that Meydan registers at the server. Null without a sign-in.',
          examples: ['instance'],
        }),
      ),
      instance: nullable(
        Type.Object(
          {
            label: Type.String({ maxLength: 80, examples: ['Server'] }),
            help: Type.String({ maxLength: 400, examples: ['The server that your account is on.'] }),
          },
          {
            description:
              'Field for the server that an account is on, which `POST /accounts/connections` takes as `instance`. Null for networks with one server.',
          },
        ),
      ),
    }),
    form: Type.Array(
      Type.Object({
        key: Type.String({ maxLength: 40, examples: ['handle'] }),
        label: Type.String({ maxLength: 80, examples: ['Handle'] }),
        type: Type.Enum(['text', 'url', 'password'], { type: 'string' }),
        required: Type.Boolean(),
        default: Type.Optional(Type.String({ maxLength: 400 })),
        help: Type.Optional(Type.String({ maxLength: 400 })),
      }),
      {
        maxItems: 20,
        description: 'Fields that `POST /accounts` takes for this network in addition to `network` and `name`.',
      },
    ),
    options: Type.Array(OptionInfo, {
      maxItems: 30,
      description: 'Settings that `options` of a target takes for this network.',
    }),
    capabilities: Capabilities,
    pricing: nullable(Pricing),
    metrics: nullable(
      Type.Object(
        {
          posts: Type.Array(Type.Enum([...postMetrics], { type: 'string' }), {
            maxItems: postMetrics.length,
            description: 'Numbers that `GET /posts/{id}/metrics` can return for this network.',
            examples: [['likes', 'comments']],
          }),
          account: Type.Array(Type.Enum([...accountMetrics], { type: 'string' }), {
            maxItems: accountMetrics.length,
            description: 'Numbers that `GET /accounts/{id}/metrics` can return for this network.',
            examples: [['followers']],
          }),
        },
        { description: 'Numbers that the network reports. Null if it reports none.' },
      ),
    ),
    mention_search: nullable(
      Type.Enum(['beginning', 'handle'], {
        type: 'string',
        description:
          'How `GET /accounts/{id}/mentions` finds whom a post can mention. `beginning`: by the beginning of a name or handle. `handle`: by a whole handle; the network limits or bills such calls, so make one when a person asks for it. Null if the network cannot be asked.',
        examples: ['beginning'],
      }),
    ),
    preview: Preview,
  },
  { title: 'Network' },
)
