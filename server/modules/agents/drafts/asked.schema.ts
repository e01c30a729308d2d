import { Type } from 'typebox'
import { Count, nullable } from '../../../lib/http/schema/schema.ts'
import { NetworkId } from '../../networks/networks.schema.ts'
import { BrandFields } from '../../workspaces/brand/brand.schema.ts'

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, description, examples: [example] })

const Address = nullable(Type.String({ maxLength: 2000, examples: ['https://cafe.example/blog/1'] }))

/** The parts of a prompt, without those that nobody may read: the frame of the instructions, and the marks of a run. */
export const Asked = Type.Object(
  {
    at: text(16, 'Time of the post on the clocks of the agent.', '2026-03-02T09:30'),
    language: text(35, 'Language to write in unless the set-up names another (BCP 47).', 'tr'),
    picture: nullable(
      Type.Enum(['video', 'image', 'card'], {
        type: 'string',
        description: 'Kind of picture that the text is written for. Null for none.',
        examples: ['image'],
      }),
    ),
    networks: Type.Array(
      Type.Object({ network: NetworkId, max_length: Count('Longest text there, in characters.', 500) }),
      { maxItems: 50, description: 'Networks of the connected accounts.' },
    ),
    allowed_hosts: Type.Array(Type.String({ maxLength: 253, examples: ['cafe.example'] }), {
      maxItems: 20,
      description: 'Hosts to which the text may link.',
    }),
    brand: Type.Object(
      { name: text(80, 'Name of the workspace.', 'Bakery'), ...Type.Partial(BrandFields).properties },
      { description: 'Name of the workspace, and the fields of its brand that are set.' },
    ),
    plan: Type.Array(
      Type.Object({
        at: text(16, 'Local time of a post, or day of a note or public holiday.', '2026-03-03T18:00'),
        post: Type.Optional(text(480, 'Beginning of a planned post.', 'Winter menu')),
        note: Type.Optional(text(480, 'Beginning of a calendar note.', 'Closed all day')),
        holiday: Type.Optional(text(480, 'Public holiday.', 'Republic Day')),
      }),
      { maxItems: 200, description: 'Posts, notes and public holidays of the next seven days.' },
    ),
    results: Type.Array(
      Type.Object({
        post: text(1200, 'Beginning of the post.', 'Fresh simit from seven.'),
        likes: Count('Number of likes.', 12),
        comments: Count('Number of comments.', 3),
        shares: Count('Number of shares.', 1),
        views: Count('Number of views.', 240),
      }),
      { maxItems: 10, description: 'Posts that readers liked best.' },
    ),
    recent_topics: Type.Array(text(480, 'Topic.', 'Fresh simit'), {
      maxItems: 50,
      description: 'Topics of the newest posts of the agent, which it does not take again.',
    }),
    rules: Type.Array(text(4000, 'Rule.', 'No exclamation marks.'), {
      maxItems: 50,
      description: 'Rules of the agent: learned from rejections, or written by members.',
    }),
    sources: Type.Array(
      Type.Object({
        id: text(20, 'Name of the piece in the prompt.', 's1'),
        label: text(80, 'Label of the source.', 'Our blog'),
        title: text(2000, 'Title.', 'Sesame from Antalya'),
        text: text(2000, 'First 500 characters of the text.', 'The harvest has begun.'),
        url: Address,
        is_trusted: Type.Boolean({ description: 'Whether an admin trusts the source.' }),
      }),
      { maxItems: 100, description: 'Pieces of its sources that it could write about.' },
    ),
    previous: nullable(
      Type.Object(
        {
          content: nullable(text(10_000, 'The text. Null if the output could not be read.', 'Visit example.com')),
          problems: Type.Array(text(12_000, 'Broken rule.', 'Links to example.com are not allowed.'), {
            maxItems: 200,
            description: 'Rules that it broke.',
          }),
        },
        { description: 'Text before, which was refused and is to be written again. Null at the first attempt.' },
      ),
    ),
  },
  { description: 'Parts of the prompt. What looks like a key is left out.' },
)
