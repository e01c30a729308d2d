import { Type } from 'typebox'
import { PageQuery } from '../../../lib/db/page.ts'
import { Closed, Count, idOf, Line, nullable, Time } from '../../../lib/http/schema/schema.ts'
import { UserWithEmail } from '../../auth/auth.schema.ts'
import { Recipe } from '../recipes.schema.ts'

const Reason = Type.Enum(['spam', 'unsafe', 'illegal', 'copyright', 'offensive', 'other'], {
  type: 'string',
  description: 'Reason. `unsafe`: its instructions make agents do harm.',
  examples: ['unsafe'],
})
const Text = Type.String({
  maxLength: 2000,
  description: 'Details. Can be empty.',
  examples: ['It asks the model for personal data.'],
})

export const NewRecipeReport = Closed({ reason: Reason, text: Type.Optional(Text) }, { title: 'NewRecipeReport' })
export const OwnRecipeReport = Type.Object(
  { id: idOf('recipe_report'), recipe_id: idOf('recipe'), reason: Reason, text: Text, created_at: Time },
  { title: 'OwnRecipeReport' },
)

export const RecipeReport = Type.Object(
  {
    ...OwnRecipeReport.properties,
    status: Type.Enum(['open', 'dismissed', 'upheld'], {
      type: 'string',
      description: 'Status. `upheld`: the recipe was taken down while the report was open.',
      examples: ['open'],
    }),
    reporter: UserWithEmail('User who reported the recipe.'),
    decided_at: nullable(Type.Unsafe<Date>({ ...Time, description: 'Time of the decision. Null before.' })),
  },
  { title: 'RecipeReport' },
)

const { id, published, taken_down_at, take_down_reason, install_count, is_built_in } = Recipe.properties

export const AdminRecipe = Type.Object(
  {
    ...{ id, name: Recipe.properties.name, published, taken_down_at, take_down_reason },
    ...{ install_count, is_built_in },
    creator: UserWithEmail('User who published it first. Null for a recipe that comes with Meydan.'),
    workspace_id: nullable(idOf('workspace', 'Id of its workspace. Null for a recipe that comes with Meydan.')),
    open_reports: Count('Number of open reports.', 1),
    created_at: Time,
  },
  { title: 'AdminRecipe' },
)
export const AdminRecipeQuery = Closed({
  ...PageQuery,
  taken_down: Type.Optional(
    Type.Boolean({ description: 'Returns only recipes that are hidden, or only others.', examples: [true] }),
  ),
  reported: Type.Optional(
    Type.Boolean({ description: 'true: returns only recipes with open reports.', examples: [true] }),
  ),
})
export const TakeDownRecipe = Closed(
  { reason: Line('Reason, which the creator reads', 'Copied texts', 500) },
  { title: 'TakeDownRecipe' },
)
